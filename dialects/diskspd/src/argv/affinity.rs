//! The list of processors after `-a`, letter by letter as DISKSPD reads it.

/// What the list is of at a letter: a number may be of a group or of a processor.
#[derive(Default)]
struct State {
    group: u16,
    number: u32,
    in_group: bool,
    has_number: bool,
}

/// The processors, each with its group; none where DISKSPD refuses the list. It is not as strict
/// as it looks: `g0,` ends in processor 0, and digits before a `g` belong to the number after it.
pub(super) fn list(text: &str) -> Option<Vec<(u16, u8)>> {
    let mut state = State::default();
    let mut list = Vec::new();
    for letter in text.chars() {
        match letter {
            '0'..='9' => {
                let digit = u32::from(letter) - u32::from('0');
                state.number = state.number.wrapping_mul(10).wrapping_add(digit);
                state.has_number = true;
            }
            'g' if !state.in_group => state.in_group = true,
            ',' if !state.has_number => return None,
            ',' if state.in_group => {
                state.group = u16::try_from(state.number).ok()?;
                state.number = 0;
                state.in_group = false;
            }
            ',' => {
                list.push((state.group, u8::try_from(state.number).ok()?));
                state.number = 0;
                state.has_number = false;
            }
            _ => return None,
        }
    }
    if state.in_group || !state.has_number {
        return None;
    }
    list.push((state.group, u8::try_from(state.number).ok()?));
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn a_list_is_read_as_diskspd_reads_it() {
        type List = &'static [(u16, u8)];
        let cases: [(&str, Option<List>); 12] = [
            ("0,2,4", Some(&[(0, 0), (0, 2), (0, 4)])),
            ("g1,0,1,g2,3", Some(&[(1, 0), (1, 1), (2, 3)])),
            ("1,2,g3,4", Some(&[(0, 1), (0, 2), (3, 4)])),
            ("g0,", Some(&[(0, 0)])),
            ("1g0,2", Some(&[(10, 2)])),
            ("0,", None),
            ("0,,1", None),
            ("g1", None),
            ("gg1,0", None),
            ("256", None),
            ("g65536,0", None),
            ("0,x", None),
        ];
        for (text, expected) in cases {
            assert_eq!(list(text).as_deref(), expected, "{text}");
        }
    }
}
