//! A picture of lines over two axes, as it lies in a page: text keeps its size at every width.

use super::panel::Panel;
use super::scale::Axis;
use super::{Key, across, tenth};
use crate::picture::axis::Ruler;
use crate::picture::{Picture, PictureLine, Scale};
use std::fmt::Write as _;

const HEIGHT: f64 = 280.0;
/// Round values of each axis.
const TICKS: usize = 9;

/// A picture in a page, with how to read it.
pub(crate) struct PictureView<'a> {
    pub(crate) title: &'a str,
    pub(crate) svg: String,
    pub(crate) keys: Vec<Key>,
    pub(crate) note: &'a str,
}

impl<'a> PictureView<'a> {
    pub(crate) fn of(drawn: &'a Picture, note: &'a str) -> Self {
        let (svg, _, keys) = picture(drawn);
        Self {
            title: &drawn.title,
            svg,
            keys,
            note,
        }
    }
}

/// The drawing, its height in pixels, and the names of its lines.
pub(crate) fn picture(picture: &Picture) -> (String, f64, Vec<Key>) {
    let all = || picture.lines.iter().flat_map(|line| &line.points);
    let y = Axis::plain(picture.y.scale, all().map(|point| point.1), TICKS);
    let x = Ruler::over(picture.x.scale, all().map(|point| point.0), TICKS);
    let mut panel = Panel::new(HEIGHT, picture.y.title.as_str(), &y);
    let ticks = x.ticks.iter();
    let ticks = ticks.filter_map(|(value, words)| Some((x.share(*value)?, words.clone())));
    panel.x = ticks.collect();
    let log = if picture.x.scale == Scale::Log {
        ", log scale"
    } else {
        ""
    };
    let x_title = format!("{}{log}", picture.x.title);
    panel.x_title = &x_title;
    for line in &picture.lines {
        draw(line, &x, &mut panel);
    }
    let keys = picture.lines.iter().map(key).collect();
    (panel.svg(""), panel.full_height(), keys)
}

fn draw(line: &PictureLine, x: &Ruler, panel: &mut Panel<'_>) {
    let class = class(line);
    if !line.is_points {
        let points = line.points.iter();
        let points = points.map(|(at, value)| (x.share(*at).unwrap_or(-1.0), *value, true));
        let path = panel.path(points.filter(|point| point.0 >= 0.0));
        let dash = dash(line);
        let _ = write!(
            panel.area,
            "<path class=\"line {class}\"{dash} d=\"{path}\"/>"
        );
        return;
    }
    for (at, value) in &line.points {
        if let (Some(across_share), Some(share)) = (x.share(*at), panel.y.share(*value)) {
            let top = tenth(panel.top(share));
            let _ = write!(
                panel.over,
                "<circle class=\"{class}\" cx=\"{}%\" cy=\"{top}\" r=\"4.5\"/>",
                across(across_share)
            );
        }
    }
}

fn class(line: &PictureLine) -> String {
    let pale = if line.is_pale { " pale" } else { "" };
    let kind = match (line.is_points, line.is_dashed) {
        (true, false) => "bar",
        (true, true) => "mark",
        (false, _) => "",
    };
    format!("{kind}{pale} c{}", line.color % 8)
        .trim()
        .to_owned()
}

fn dash(line: &PictureLine) -> &'static str {
    if line.is_dashed {
        " stroke-dasharray=\"6 4\""
    } else {
        ""
    }
}

fn key(line: &PictureLine) -> Key {
    let (class, dash) = (class(line), dash(line));
    let shape = if line.is_points {
        format!("<circle class=\"{class}\" cx=\"13\" r=\"4.5\"/>")
    } else {
        format!("<path class=\"line {class}\"{dash} d=\"M1 0H25\"/>")
    };
    Key {
        label: line.label.clone(),
        svg: format!(
            "<svg class=\"key\" viewBox=\"0 -6 26 12\" aria-hidden=\"true\">{shape}</svg>"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture;

    #[test]
    fn points_lie_where_their_numbers_are() {
        let axis = |title: &str| picture::Axis::new(title, Scale::Log);
        let drawn = Picture {
            title: String::new(),
            x: axis("GiB"),
            y: axis("IOPS"),
            lines: vec![
                PictureLine::new("best", 0, vec![(10.0, 100.0)]).as_points(),
                PictureLine::new("beaten", 1, vec![(100.0, 1_000.0)])
                    .as_points()
                    .pale(),
            ],
        };
        let (svg, _, keys) = self::picture(&drawn);
        let circles: Vec<&str> = svg
            .split('<')
            .filter(|part| part.starts_with("circle"))
            .collect();
        assert_eq!(
            circles,
            [
                "circle class=\"bar c0\" cx=\"0%\" cy=\"280\" r=\"4.5\"/>",
                "circle class=\"bar pale c1\" cx=\"100%\" cy=\"0\" r=\"4.5\"/>",
            ]
        );
        assert_eq!(keys.len(), 2);
    }
}
