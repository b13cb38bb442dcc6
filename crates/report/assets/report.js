// Draws the charts of a report from the data beside it. Rust says what, this says how: axes,
// colours, words of the units. Nothing is fetched; the only writes are to this page.
(() => {
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const root = document.documentElement;

// ---- Numbers in words, as the text form has them -------------------------------------------

const grouped = (number, decimals) => number.toLocaleString('en-US',
  {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
const exponent = number => number === 0 ? 0 : Number(Math.abs(number).toExponential(2).split('e')[1]);
const significant = number => grouped(number, Math.max(0, 2 - exponent(number)));
const scaled = (number, steps) => {
  const [factor, unit] = steps.find(([, , below]) => exponent(number) < below) ?? steps.at(-1);
  return `${significant(number / factor)} ${unit}`;
};
const TIMES = [[1, 'ns', 3], [1e3, 'µs', 6], [1e6, 'ms', 9], [1e9, 's', 99]];
const plain = number => number === 0 ? '0'
  : Math.abs(number) < 1000 ? significant(number).replace(/\.0+$/, '') : grouped(number, 0);
const rate = number => number === 0 ? '0' : number < 0.01 ? significant(number)
  : grouped(number, number < 9.995 ? 2 : number < 999.95 ? 1 : 0);
const UNITS = {
  iops: {name: 'IOPS', say: v => v >= 999999.5 ? `${significant(v / 1e6)} M`
    : grouped(v, v < 9.995 ? 2 : v < 999.95 ? 1 : 0)},
  bytes_per_second: {name: 'MB/s', say: v => rate(v / 1e6)},
  ns: {name: '', say: v => v < 0.0005 ? '0 ns' : scaled(v, TIMES)},
  requests: {name: 'requests', say: v => grouped(v, v < 9.995 ? 2 : 1)},
  percent: {name: '%', say: v => grouped(v, v < 0.095 ? 2 : 1)},
  other: {name: '', say: plain},
};
const withUnit = (unit, words) => {
  const name = words || UNITS[unit].name;
  return v => v == null ? '–' : `${UNITS[unit].say(v)}${name && name !== 'IOPS' ? ` ${name}` : ''}`;
};
// On an axis: no more digits than the steps need.
const short = number => {
  const trim = v => Number(v.toPrecision(4)).toString();
  const size = Math.abs(number);
  if (size >= 1e9) return `${trim(number / 1e9)} G`;
  if (size >= 1e6) return `${trim(number / 1e6)} M`;
  return size >= 1e3 ? grouped(number, 0) : trim(number);
};
const AXIS = {
  iops: short, bytes_per_second: v => grouped(Number((v / 1e6).toPrecision(4)), v < 1e7 && v % 1e6 ? 1 : 0),
  ns: v => {
    const [factor, unit] = TIMES.find(([, , below]) => v < 10 ** below) ?? TIMES.at(-1);
    return `${Number((v / factor).toPrecision(3))} ${unit}`;
  },
  requests: short, percent: v => `${v}`, other: short,
};
const axisName = (unit, words) => words || UNITS[unit].name;

const clock = seconds => {
  const whole = Math.floor(seconds + 1e-9);
  const pad = v => String(v).padStart(2, '0');
  const rest = seconds - whole > 5e-4 ? (seconds - whole).toFixed(1).slice(1) : '';
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h ? `${h}:${pad(m)}:${pad(s)}${rest}` : `${m}:${pad(s)}${rest}`;
};
const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400,
  21600, 43200, 86400];

// ---- Small helpers for the page ------------------------------------------------------------

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter(child => child != null));
  return made;
};
const swatch = (color, dash, box) => {
  const space = 'http' + '://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', box ? '0 0 10 10' : '0 0 16 8');
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(space, box ? 'rect' : 'line');
  const attributes = box ? {x: 1, y: 1, width: 8, height: 8, rx: 1, fill: color}
    : {x1: 0, y1: 4, x2: 16, y2: 4, stroke: color, 'stroke-width': 2.5};
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
  if (dash && !box) shape.setAttribute('stroke-dasharray', '4 3');
  svg.append(shape);
  return svg;
};
const palette = () => {
  const style = getComputedStyle(root);
  return name => style.getPropertyValue(`--${name}`).trim();
};
const ROLES = {
  read: 'read', write: 'write', trim: 'trim', flush: 'flush', queue: 'queue', p50: 'p50', p99: 'p99',
  'p99.9': 'p999', max: 'max', user: 'user', system: 'system', iowait: 'iowait', steal: 'steal',
  own: 'own', gauge: 's0', 'read service': 'read', 'write service': 'write',
};
// Lines of one role beside each other take the colours of the palette instead.
const colours = (lines, color) => {
  const roles = lines.map(line => line.role);
  return lines.map((line, index) => {
    const alone = roles.filter(role => role === line.role).length === 1;
    return color(alone && ROLES[line.role] ? ROLES[line.role] : `s${index % 8}`);
  });
};

// ---- Options that all charts share ---------------------------------------------------------

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
const base = color => ({
  animation: false,
  backgroundColor: 'transparent',
  textStyle: {fontFamily: FONT, fontSize: 12, color: color('ink')},
  tooltip: {
    confine: true, backgroundColor: color('card'), borderColor: color('line'), borderWidth: 1,
    padding: [6, 8], textStyle: {color: color('ink'), fontSize: 12.5}, transitionDuration: 0,
    extraCssText: 'box-shadow: 0 2px 8px rgba(0,0,0,.18)',
    axisPointer: {type: 'line', lineStyle: {color: color('soft'), width: 1, type: 'solid'},
      label: {show: false}},
  },
});
const axisLook = color => ({
  axisLine: {show: true, lineStyle: {color: color('line')}},
  axisTick: {show: true, lineStyle: {color: color('line')}},
  axisLabel: {color: color('soft'), fontSize: 11, hideOverlap: true},
  splitLine: {show: true, lineStyle: {color: color('grid'), width: 1}},
  nameTextStyle: {color: color('soft'), fontSize: 11},
  minorSplitLine: {show: false},
});
const logBounds = values => {
  let low = Infinity, high = 0;
  for (const v of values) if (v > 0) { low = Math.min(low, v); high = Math.max(high, v); }
  if (!(high > 0)) return {min: 1, max: 10};
  // Half decades read well and waste little.
  const floor = 10 ** (Math.floor(Math.log10(low) * 2) / 2);
  const ceil = 10 ** (Math.ceil(Math.log10(high) * 2 + 1e-9) / 2);
  return {min: floor, max: ceil > floor ? ceil : floor * 10};
};
// Round values of a logarithmic axis: 1, 2 and 5 of every power of ten while there is room.
const logTicks = ({min, max}, room = 6) => {
  const make = factors => {
    const ticks = [];
    for (let e = Math.floor(Math.log10(min)); e <= Math.ceil(Math.log10(max)); e += 1) {
      for (const f of factors) {
        const v = f * 10 ** e;
        if (v >= min * 0.999 && v <= max * 1.001) ticks.push(v);
      }
    }
    return ticks;
  };
  return [[1, 2, 5], [1, 3], [1]].map(make).find(ticks => ticks.length <= room) ?? make([1]);
};
// A logarithmic axis drawn over exponents, so that its ticks are where we want them.
const logAxis = (bounds, unit, color, room) => {
  const ticks = logTicks(bounds, room).map(Math.log10);
  return {
    ...axisLook(color), type: 'value', min: Math.log10(bounds.min), max: Math.log10(bounds.max),
    axisTick: {...axisLook(color).axisTick, customValues: ticks},
    axisLabel: {...axisLook(color).axisLabel, customValues: ticks,
      formatter: v => AXIS[unit](10 ** v), hideOverlap: true},
    splitLine: {show: false}, ticksAt: ticks,
  };
};
const log10 = v => v > 0 ? Math.log10(v) : null;

const tip = (heading, rows) => element('div', {class: 'tip'}, element('b', {}, heading),
  element('table', {}, ...rows.map(([color, label, value, range]) => element('tr', {},
    element('td', {}, swatch(color, false, true), ` ${label}`), element('td', {}, value),
    element('td', {class: 'range'}, range ?? '')))));

const table = (headers, rows) => element('table', {class: 'figures'},
  element('thead', {}, element('tr', {}, ...headers.map((name, i) =>
    element('th', {scope: 'col', class: i ? 'number' : 'words'}, name)))),
  element('tbody', {}, ...rows.map(row => element('tr', {}, ...row.map((cell, i) =>
    element(i ? 'td' : 'th', {class: i ? 'number' : 'words', scope: i ? null : 'row'}, cell))))));

// ---- Kinds of charts -----------------------------------------------------------------------
// Each has: wide, height(width), option(color, width), legend(color), rows() for its table, say().

// What went on over time: strips below each other, one zoom for all charts of a section.
class Course {
  constructor(chart, section) {
    this.chart = chart;
    this.time = section.time;
    this.view = section.view;
    this.ticks = section.time[chart.clock];
    this.hidden = new Set();
    this.timed = true;
    this.wide = chart.strips.length > 2 || chart.strips.some(strip => strip.log);
  }
  // The finest grain that is not too much for the window.
  grain() {
    const most = 800;
    const inside = this.ticks.map(({start_s: t}) => {
      const [a, b] = this.range(t);
      return b - a;
    });
    const found = inside.findIndex(count => count <= most);
    return found < 0 ? this.ticks.length - 1 : found;
  }
  // Points in the window and one to each side.
  range(t) {
    const at = value => {
      let [a, b] = [0, t.length];
      while (a < b) { const m = (a + b) >> 1; if (t[m] < value) a = m + 1; else b = m; }
      return a;
    };
    return [Math.max(0, at(this.view.from) - 2), Math.min(t.length, at(this.view.to) + 2)];
  }
  end(grain, i) {
    const ticks = this.ticks[grain];
    return i + 1 < ticks.start_s.length ? ticks.start_s[i + 1] : ticks.end_s;
  }
  lines() {
    return this.chart.strips.flatMap((strip, at) => strip.lines.map(line => ({strip, at, line})));
  }
  colors(color) {
    return this.chart.strips.map(strip => colours(strip.lines, color));
  }
  stripHeight(width) {
    const few = this.chart.strips.length === 1;
    return few ? (width < 500 ? 170 : 200) : width < 500 ? 120 : 130;
  }
  height(width) { return 22 + this.chart.strips.length * (this.stripHeight(width) + 26); }
  option(color, width) {
    const grain = this.grain();
    const [from, to] = this.range(this.ticks[grain].start_s);
    const look = axisLook(color);
    const last = this.chart.strips.length - 1;
    const colors = this.colors(color);
    const strips = this.chart.strips.map((strip, at) => this.strip(strip, at, grain, from, to, colors[at], color));
    const left = 58, height = this.stripHeight(width);
    return {
      ...base(color),
      grid: strips.map((_, at) => ({left, right: 12, top: 22 + at * (height + 26), height})),
      xAxis: strips.map((_, at) => ({
        ...look, gridIndex: at, type: 'value', min: this.view.from, max: this.view.to,
        splitLine: {show: false},
        axisLabel: {...look.axisLabel, show: at === last, formatter: clock, customValues: this.marks(width)},
        axisTick: {...look.axisTick, customValues: this.marks(width)},
      })),
      yAxis: strips.map(strip => strip.axis),
      series: strips.flatMap(strip => strip.series),
      axisPointer: {link: [{xAxisIndex: 'all'}]},
      tooltip: {...base(color).tooltip, trigger: 'axis',
        formatter: params => this.tip(params[0].axisValue, grain, color)},
    };
  }
  marks(width) {
    const span = this.view.to - this.view.from;
    const step = steps.find(s => span / s <= Math.max(3, width / 90)) ?? 86400;
    const marks = [];
    for (let t = Math.ceil(this.view.from / step) * step; t <= this.view.to + 1e-9; t += step) marks.push(t);
    return marks;
  }
  strip(strip, at, grain, from, to, colors, color) {
    const shown = strip.lines.filter(line => !this.hidden.has(line.label));
    const values = shown.flatMap(line => {
      const level = line.levels[grain];
      return [level.value, level.low, level.high].filter(Boolean).flatMap(v => v.slice(from, to));
    });
    const named = axisName(strip.unit, strip.unit_words);
    const name = this.chart.strips.length > 1 || named
      ? [this.chart.strips.length > 1 || strip.label.includes(' ') ? strip.label : '', named].filter(Boolean).join(', ') : '';
    const log = strip.log;
    const y = log ? log10 : v => v;
    const shared = {gridIndex: at, name, nameLocation: 'end', nameGap: 8,
      nameTextStyle: {color: color('soft'), fontSize: 11, align: 'left', padding: [0, 0, 0, -54]}};
    let axis;
    if (log) {
      const bounds = logBounds(values);
      axis = {...logAxis(bounds, strip.unit, color), ...shared};
    } else {
      const top = strip.unit === 'percent' && strip.stacked ? 100 : undefined;
      axis = {...axisLook(color), type: 'value', min: 0, max: top, splitNumber: 3,
        axisLabel: {...axisLook(color).axisLabel, formatter: AXIS[strip.unit]}, ...shared};
    }
    const series = [];
    strip.lines.forEach((line, index) => {
      if (this.hidden.has(line.label)) return;
      const level = line.levels[grain];
      const points = [];
      for (let i = from; i < to; i += 1) {
        const start = this.ticks[grain].start_s[i];
        points.push([(start + this.end(grain, i)) / 2, y(level.value[i])]);
      }
      if (level.low && !strip.stacked) series.push(this.band(level, grain, from, to, y, at, colors[index]));
      series.push({
        type: 'line', name: line.label, xAxisIndex: at, yAxisIndex: at, data: points,
        showSymbol: points.length < 2 || (points.length <= 40 && !strip.stacked), symbolSize: 4, symbol: 'circle',
        lineStyle: {width: strip.stacked ? 0.6 : line.role === 'max' ? 1 : 1.5, color: colors[index]},
        itemStyle: {color: colors[index]}, connectNulls: false,
        stack: strip.stacked ? `s${at}` : undefined,
        areaStyle: strip.stacked ? {color: colors[index], opacity: 0.45} : undefined,
        emphasis: {disabled: true}, z: 3,
      });
    });
    if (series.length) this.extras(series.at(-1), axis, color);
    return {axis, series};
  }
  // Warm-up and cool-down are shaded; a logarithmic axis has its lines at round values.
  extras(series, axis, color) {
    const [begin, end] = this.time.measured_s;
    const areas = [];
    if (begin > 0) areas.push([{xAxis: 0}, {xAxis: begin}]);
    if (end < this.time.end_s - 1e-3) areas.push([{xAxis: end}, {xAxis: this.time.end_s}]);
    if (areas.length) series.markArea = {silent: true, itemStyle: {color: color('shade')}, data: areas};
    if (axis.ticksAt) {
      series.markLine = {silent: true, symbol: 'none', label: {show: false}, animation: false,
        lineStyle: {color: color('grid'), width: 1, type: 'solid'}, z: 0,
        data: axis.ticksAt.map(v => ({yAxis: v}))};
    }
  }
  // From the smallest to the largest interval of each bin.
  band(level, grain, from, to, y, at, fill) {
    return {
      type: 'custom', xAxisIndex: at, yAxisIndex: at, data: [[this.view.from, 0]], silent: true, z: 2,
      tooltip: {show: false}, clip: true,
      renderItem: (params, api) => {
        if (params.dataIndexInside !== 0) return null;
        const upper = [], lower = [];
        for (let i = from; i < to; i += 1) {
          if (level.low[i] == null) continue;
          const t = (this.ticks[grain].start_s[i] + this.end(grain, i)) / 2;
          upper.push(api.coord([t, y(level.high[i])]));
          lower.push(api.coord([t, y(level.low[i]) ?? -1e9]));
        }
        return {type: 'polygon', shape: {points: upper.concat(lower.reverse())},
          style: {fill, opacity: 0.22}, clipPath: undefined};
      },
    };
  }
  tip(t, grain, color) {
    const starts = this.ticks[grain].start_s;
    let i = starts.findIndex(start => start > t);
    i = (i < 0 ? starts.length : i) - 1;
    if (i < 0) return '';
    const colors = this.colors(color);
    const several = this.chart.strips.length > 1;
    const rows = [];
    this.chart.strips.forEach((strip, at) => strip.lines.forEach((line, index) => {
      if (this.hidden.has(line.label)) return;
      const level = line.levels[grain];
      const say = withUnit(strip.unit, strip.unit_words);
      const label = several && !line.label.includes(strip.label) ? `${strip.label} ${line.label}` : line.label;
      const range = level.low && level.low[i] != null ? `${say(level.low[i])} … ${say(level.high[i])}` : '';
      rows.push([colors[at][index], label, say(level.value[i]), range]);
    }));
    const bin = this.ticks[grain].bin;
    const heading = `${clock(starts[i])} – ${clock(this.end(grain, i))}${bin > 1 ? ` (${bin} intervals)` : ''}`;
    return tip(heading, rows);
  }
  legend(color) {
    const colors = this.colors(color);
    const seen = new Map();
    this.chart.strips.forEach((strip, at) => strip.lines.forEach((line, index) => {
      if (!seen.has(line.label)) seen.set(line.label, colors[at][index]);
    }));
    return seen.size > 1 ? [...seen].map(([label, fill]) => ({label, fill})) : [];
  }
  rows() {
    // The grain that a table can hold.
    const fit = this.ticks.findIndex(ticks => ticks.start_s.length <= 1500);
    const grain = fit < 0 ? this.ticks.length - 1 : fit;
    const lines = this.lines();
    const several = this.chart.strips.length > 1;
    const ranged = ({line}) => line.levels[grain].low;
    const name = ({strip, line}) => several && !line.label.includes(strip.label) ? `${strip.label} ${line.label}` : line.label;
    const headers = ['time', ...lines.flatMap(one => ranged(one)
      ? [name(one), 'smallest', 'largest'] : [name(one)])];
    const rows = this.ticks[grain].start_s.map((start, i) => [
      `${clock(start)} – ${clock(this.end(grain, i))}`,
      ...lines.flatMap(one => {
        const say = withUnit(one.strip.unit, one.strip.unit_words);
        const level = one.line.levels[grain];
        return ranged(one) ? [say(level.value[i]), say(level.low[i]), say(level.high[i])] : [say(level.value[i])];
      }),
    ]);
    return table(headers, rows);
  }
  say() {
    return this.lines().map(({strip, line}) => {
      const level = line.levels[0];
      const known = level.value.filter(v => v != null);
      if (!known.length) return '';
      const say = withUnit(strip.unit, strip.unit_words);
      const [low, high] = known.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
      return `${strip.label} ${line.label} from ${say(low)} to ${say(high)}`;
    }).filter(Boolean).join('; ');
  }
}

// Requests by time and latency.
class HeatMap extends Course {
  constructor(chart, section) {
    super({...chart, strips: [], clock: 'load'}, section);
    this.map = chart;
    this.wide = true;
    this.most = chart.cells.reduce((most, [, , count]) => Math.max(most, count), 1);
    this.bands = chart.cells.reduce((most, [, band]) => Math.max(most, band + 1), 1);
  }
  height(width) { return width < 500 ? 230 : 280; }
  edge(band) { return (this.map.first_band + band) / this.map.bands; }
  legend() { return []; }
  option(color, width) {
    const {edges_s: edges, cells} = this.map;
    const bounds = {min: 10 ** this.edge(0), max: 10 ** this.edge(this.bands)};
    const look = axisLook(color);
    const y = logAxis(bounds, 'ns', color, 7);
    const ramp = ['h0', 'h1', 'h2', 'h3', 'h4', 'h5'].map(color);
    return {
      ...base(color),
      grid: {left: 58, right: width < 500 ? 12 : 92, top: 10, bottom: 24},
      xAxis: {...look, type: 'value', min: this.view.from, max: this.view.to, splitLine: {show: false},
        axisLabel: {...look.axisLabel, formatter: clock, customValues: this.marks(width)},
        axisTick: {...look.axisTick, customValues: this.marks(width)}},
      yAxis: {...y, splitLine: {show: false}},
      visualMap: {
        type: 'continuous', min: 0, max: Math.max(Math.log10(this.most), 0.3), dimension: 3, calculable: false,
        inRange: {color: ramp}, show: width >= 500, right: 6, top: 'middle', itemWidth: 10, itemHeight: 120,
        formatter: v => short(Math.round(10 ** v)), text: [`${short(this.most)}`, '1'],
        textStyle: {color: color('soft'), fontSize: 11}, hoverLink: false,
      },
      tooltip: {...base(color).tooltip, trigger: 'item', formatter: ({data: cell}) => tip(
        `${clock(edges[cell[0]])} – ${clock(edges[cell[0] + 1])}`,
        [[this.shade(cell[3], ramp), `${UNITS.ns.say(10 ** this.edge(cell[1]))} to ${UNITS.ns.say(10 ** this.edge(cell[1] + 1))}`,
          `${grouped(cell[2], 0)} requests`]])},
      series: [{
        type: 'custom', clip: true, progressive: 0,
        data: cells.map(([column, band, count]) => [column, band, count, Math.log10(count)]),
        encode: {x: -1, y: -1, tooltip: [2]},
        dimensions: ['column', 'band', 'count', 'shade'],
        renderItem: (params, api) => {
          const [column, band] = [api.value(0), api.value(1)];
          const [x0, y0] = api.coord([edges[column], this.edge(band)]);
          const [x1, y1] = api.coord([edges[column + 1], this.edge(band + 1)]);
          const {x, y: top, width: w, height: h} = params.coordSys;
          const left = Math.max(x, Math.floor(x0)), right = Math.min(x + w, Math.ceil(x1));
          if (right <= left) return null;
          const upper = Math.max(top, Math.floor(y1));
          return {type: 'rect', shape: {x: left, y: upper, width: right - left,
            height: Math.min(top + h, Math.ceil(y0)) - upper}, style: {fill: api.visual('color')}};
        },
        markArea: this.outside(color),
      }],
    };
  }
  outside(color) {
    const [begin, end] = this.time.measured_s;
    const data = [];
    if (begin > 0) data.push([{xAxis: 0}, {xAxis: begin}]);
    if (end < this.time.end_s - 1e-3) data.push([{xAxis: end}, {xAxis: this.time.end_s}]);
    return {silent: true, itemStyle: {color: color('shade')}, data};
  }
  shade(value, ramp) {
    const at = value / Math.max(Math.log10(this.most), 0.3) * (ramp.length - 1);
    return ramp[Math.min(ramp.length - 1, Math.round(at))];
  }
  rows() {
    const {edges_s: edges, cells} = this.map;
    const name = band => `${UNITS.ns.say(10 ** this.edge(band))} – ${UNITS.ns.say(10 ** this.edge(band + 1))}`;
    return table(['time', 'latency', 'requests'], cells.slice(0, 5000).map(([column, band, count]) =>
      [`${clock(edges[column])} – ${clock(edges[column + 1])}`, name(band), grouped(count, 0)]));
  }
  say() {
    return `${grouped(this.map.cells.reduce((sum, [, , count]) => sum + count, 0), 0)} requests between `
      + `${UNITS.ns.say(10 ** this.edge(0))} and ${UNITS.ns.say(10 ** this.edge(this.bands))}`;
  }
}

// Percentiles on an axis of nines.
class Curve {
  constructor(chart) {
    this.chart = chart;
    this.hidden = new Set();
  }
  height(width) { return width < 500 ? 260 : 300; }
  nines(q) { return -Math.log10(1 - q); }
  shown() { return this.chart.lines.filter(line => !this.hidden.has(line.label)); }
  dash(line) { return line.role.endsWith(' service'); }
  option(color) {
    const colors = colours(this.chart.lines, color);
    const shown = this.shown();
    const bounds = logBounds(shown.flatMap(line => line.latency_ns));
    const top = Math.max(1, ...shown.flatMap(line => line.quantile.map(q => this.nines(q))));
    const ticks = [0, this.nines(0.5), ...Array.from({length: Math.floor(top + 0.01)}, (_, i) => i + 1)];
    const look = axisLook(color);
    const y = logAxis(bounds, 'ns', color, 8);
    const percent = v => {
      if (v < 0.01) return '0';
      if (v < 0.9) return 'p50';
      const n = Math.round(v);
      return n === 1 ? 'p90' : n === 2 ? 'p99' : `p99.${'9'.repeat(n - 2)}`;
    };
    const series = this.chart.lines.map((line, i) => ({
      type: 'line', name: line.label, showSymbol: false, symbol: 'circle', symbolSize: 5, emphasis: {disabled: true},
      data: this.hidden.has(line.label) ? [] : line.quantile.map((q, at) => [this.nines(q), log10(line.latency_ns[at])]),
      lineStyle: {width: 1.8, color: colors[i], type: this.dash(line) ? 'dashed' : 'solid'}, itemStyle: {color: colors[i]},
    }));
    if (series.length) series[0].markLine = {silent: true, symbol: 'none', label: {show: false}, z: 0,
      lineStyle: {color: color('grid'), width: 1, type: 'solid'},
      data: [...y.ticksAt.map(v => ({yAxis: v})), ...ticks.map(v => ({xAxis: v}))]};
    return {
      ...base(color),
      grid: {left: 58, right: 24, top: 10, bottom: 26},
      xAxis: {...look, type: 'value', min: 0, max: top, splitLine: {show: false},
        axisLabel: {...look.axisLabel, customValues: ticks, formatter: percent},
        axisTick: {...look.axisTick, customValues: ticks}},
      yAxis: y,
      series,
      tooltip: {...base(color).tooltip, trigger: 'axis', formatter: params => {
        const at = params[0].axisValue;
        const nearest = line => line.quantile.reduce((best, q, i) =>
          Math.abs(this.nines(q) - at) < Math.abs(this.nines(line.quantile[best]) - at) ? i : best, 0);
        const rows = this.chart.lines.map((line, i) => ({line, i})).filter(({line}) => !this.hidden.has(line.label))
          .filter(({line}) => at <= this.nines(line.quantile.at(-1)) + 0.06)
          .map(({line, i}) => { const j = nearest(line); return {i, line, j}; });
        if (!rows.length) return '';
        return tip(`p${rows[0].line.percent[rows[0].j]}`, rows.map(({i, line, j}) =>
          [colors[i], line.label, UNITS.ns.say(line.latency_ns[j])]));
      }},
    };
  }
  legend(color) {
    const colors = colours(this.chart.lines, color);
    return this.chart.lines.map((line, i) => ({label: line.label, fill: colors[i], dash: this.dash(line)}));
  }
  rows() {
    const longest = this.chart.lines.reduce((a, b) => a.percent.length >= b.percent.length ? a : b);
    return table(['percentile', ...this.chart.lines.map(line => line.label)], longest.percent.map((percent, i) =>
      [`p${percent}`, ...this.chart.lines.map(line => line.latency_ns[i] == null ? '–' : UNITS.ns.say(line.latency_ns[i]))]));
  }
  say() {
    return this.chart.lines.map(line => `${line.label}: p${line.percent.at(-1)} is ${UNITS.ns.say(line.latency_ns.at(-1))}, `
      + `of ${grouped(line.count, 0)} requests`).join('; ');
  }
}

// Groups of bars; far apart values become points on a logarithmic axis, where bars would lie.
class Bars {
  constructor(chart) {
    this.chart = chart;
    this.hidden = new Set();
    const known = chart.series.flatMap(one => one.value).filter(v => v > 0);
    this.log = known.length > 1 && Math.max(...known) / Math.min(...known) > 60;
    this.wide = chart.groups.length > 6;
    // Where no group has two bars they share one place.
    this.alone = chart.groups.every((_, group) => chart.series.filter(one => one.value[group] != null).length < 2);
    // More runs than colours, each with its name beside its bar: neither colours nor keys tell more.
    this.crowded = this.alone && chart.series.length > 8;
  }
  flat(width) {
    const letters = Math.max(...this.chart.groups.map(name => name.length));
    return (width - 70) / this.chart.groups.length < Math.max(46, letters * 6.6);
  }
  height(width) {
    const bars = this.alone ? 1 : this.chart.series.length;
    const row = Math.max(width < 500 ? 27 : 20, 8 + bars * 11);
    return this.flat(width) ? 40 + this.chart.groups.length * row : 250;
  }
  option(color, width) {
    const flat = this.flat(width);
    const {unit, groups} = this.chart;
    const look = axisLook(color);
    const colors = this.colors(color);
    const shown = this.chart.series.map((one, i) => ({one, i})).filter(({one}) => !this.hidden.has(one.label));
    const y = this.log ? log10 : v => v;
    const all = shown.flatMap(({one}) => [...one.value, ...one.low, ...one.high]).filter(v => v != null);
    const name = axisName(unit);
    const scale = this.log ? logAxis(logBounds(all), unit, color, flat ? Math.max(3, width / 110) : 6)
      : {...look, type: 'value', min: 0, splitNumber: flat && width < 500 ? 3 : 5,
        axisLabel: {...look.axisLabel, formatter: AXIS[unit]}};
    const letters = Math.max(...groups.map(one => one.length));
    const narrow = width < 500;
    const room = Math.min(width * (narrow ? 0.44 : 0.36), letters * 6.4 + 14);
    const names = {...look, type: 'category', data: groups, inverse: flat, splitLine: {show: false},
      axisTick: {show: false}, axisLabel: {...look.axisLabel, color: color('ink'), interval: 0, hideOverlap: false,
        ...(flat ? {width: room - 12, overflow: narrow ? 'break' : 'truncate'} : {}),
        ...(flat && narrow ? {fontSize: 10, lineHeight: 11} : {})}};
    const value = {...scale, name: flat ? '' : name, nameTextStyle: {...look.nameTextStyle, align: 'left', padding: [0, 0, 0, -50]}};
    const series = shown.flatMap(({one, i}, at) => this.drawn(one, colors[i], at, shown.length, flat, y, color));
    if (series.length && scale.ticksAt) series[0].markLine = {silent: true, symbol: 'none', label: {show: false}, z: 0,
      lineStyle: {color: color('grid'), width: 1, type: 'solid'},
      data: scale.ticksAt.map(v => flat ? {xAxis: v} : {yAxis: v})};
    return {
      ...base(color),
      grid: flat ? {left: room, right: 18, top: 6, bottom: 26} : {left: 58, right: 12, top: 24, bottom: 26},
      xAxis: flat ? value : names,
      yAxis: flat ? names : value,
      series,
      tooltip: {...base(color).tooltip, trigger: 'axis', axisPointer: {type: 'shadow',
        shadowStyle: {color: color('shade')}}, formatter: params => {
        const group = params[0].dataIndex;
        const say = withUnit(unit);
        return tip(groups[group], shown.filter(({one}) => one.value[group] != null).map(({one, i}) => [colors[i], one.label,
          say(one.value[group]), `${say(one.low[group])} … ${say(one.high[group])}`]));
      }},
    };
  }
  colors(color) {
    return this.chart.series.map((one, i) => color(ROLES[one.role] ?? `s${this.crowded ? 0 : i % 8}`));
  }
  drawn(one, fill, at, count, flat, y, color) {
    const layout = {barGap: this.alone ? '-100%' : '12%', barCategoryGap: '32%'};
    const place = (group, v) => flat ? [v, group] : [group, v];
    const values = one.value.map((v, group) => v == null ? null : place(group, y(v)));
    const offset = api => {
      const bars = api.barLayout({...layout, count, barMaxWidth: 26});
      return bars[at];
    };
    const whisker = {
      type: 'custom', z: 5, silent: true, tooltip: {show: false}, name: `${one.label} whisker`,
      encode: flat ? {x: [1, 2], y: 0} : {x: 0, y: [1, 2]},
      data: one.value.map((v, group) => [group, y(one.low[group]), y(one.high[group]), y(v)]),
      renderItem: (params, api) => {
        const group = api.value(0);
        const {offsetCenter: off, width: thick} = offset(api);
        const offsetCenter = this.alone ? 0 : off;
        const end = index => {
          const point = api.coord(place(group, api.value(index)));
          point[flat ? 1 : 0] += offsetCenter;
          return point;
        };
        if (!Number.isFinite(api.value(3))) return null;
        const [a, b, middle] = [end(1), end(2), end(3)];
        const cap = Math.min(4, thick / 3);
        const bar = ([x, yy]) => flat ? {x1: x, y1: yy - cap, x2: x, y2: yy + cap} : {x1: x - cap, y1: yy, x2: x + cap, y2: yy};
        const style = {stroke: this.log ? fill : color('ink'), lineWidth: this.log ? 1.6 : 1, opacity: this.log ? 1 : 0.75};
        const far = Math.hypot(a[0] - b[0], a[1] - b[1]) > 2;
        const lines = far ? [{type: 'line', shape: {x1: a[0], y1: a[1], x2: b[0], y2: b[1]}, style},
          {type: 'line', shape: bar(a), style}, {type: 'line', shape: bar(b), style}] : [];
        const dot = this.log ? [{type: 'circle', shape: {cx: middle[0], cy: middle[1], r: 4}, style: {fill}}] : [];
        return {type: 'group', children: [...lines, ...dot]};
      },
    };
    const bars = {type: 'bar', name: one.label, data: values, itemStyle: {color: this.log ? 'transparent' : fill, borderRadius: 1.5},
      barMaxWidth: 26, emphasis: {disabled: true}, ...layout};
    return [bars, whisker];
  }
  legend(color) {
    const colors = this.colors(color);
    if (this.crowded || this.chart.series.length < 2) return [];
    return this.chart.series.map((one, i) => ({label: one.label, fill: colors[i], box: true}));
  }
  rows() {
    const say = withUnit(this.chart.unit);
    return table(['', ...this.chart.series.flatMap(one => [one.label, 'from', 'to'])], this.chart.groups.map((name, group) =>
      [name, ...this.chart.series.flatMap(one => [say(one.value[group]), say(one.low[group]), say(one.high[group])])]));
  }
  say() {
    const say = withUnit(this.chart.unit);
    return this.chart.series.map(one => `${one.label}: ${this.chart.groups.map((name, i) =>
      one.value[i] == null ? null : `${name} ${say(one.value[i])}`).filter(Boolean).join(', ')}`).join('; ');
  }
}

// Latency against throughput, step by step.
class Ramp {
  constructor(chart) {
    this.chart = chart;
    this.hidden = new Set();
    this.wide = true;
    this.curves = chart.lines.flatMap((line, i) => [
      {line, i, name: chart.lines.length > 1 ? `${line.label} mean` : 'mean', values: line.mean_ns, dash: false},
      {line, i, name: chart.lines.length > 1 ? `${line.label} p99` : 'p99', values: line.p99_ns, dash: true},
    ]).filter(curve => curve.values.some(v => v != null));
  }
  height(width) { return width < 500 ? 280 : 340; }
  color(curve, color) {
    if (this.chart.lines.length === 1) return color(curve.dash ? 'p99' : 'read');
    return color(`s${curve.i % 8}`);
  }
  option(color) {
    const look = axisLook(color);
    const {unit, knob} = this.chart;
    const shown = this.curves.filter(curve => !this.hidden.has(curve.name));
    const y = logAxis(logBounds(shown.flatMap(curve => curve.values)), 'ns', color, 8);
    const series = shown.map(curve => ({
      type: 'line', name: curve.name, symbol: 'circle', symbolSize: 7, showAllSymbol: true, emphasis: {disabled: true},
      data: curve.values.map((v, at) => [curve.line.throughput[at], log10(v), at]).filter(point => point[1] != null),
      lineStyle: {width: 1.8, type: curve.dash ? 'dashed' : 'solid', color: this.color(curve, color)},
      itemStyle: {color: this.color(curve, color)},
      label: {show: !curve.dash, position: 'top', distance: 6, color: color('soft'), fontSize: 11,
        formatter: ({data: point}) => curve.line.step[point[2]]},
      labelLayout: {hideOverlap: true},
    }));
    if (series.length) series[0].markLine = {silent: true, symbol: 'none', label: {show: false}, z: 0,
      lineStyle: {color: color('grid'), width: 1, type: 'solid'}, data: y.ticksAt.map(v => ({yAxis: v}))};
    return {
      ...base(color),
      grid: {left: 58, right: 20, top: 14, bottom: 42},
      xAxis: {...look, type: 'value', min: 0, name: `throughput, ${axisName(unit)}`, nameLocation: 'middle', nameGap: 26,
        axisLabel: {...look.axisLabel, formatter: AXIS[unit]}},
      yAxis: y,
      series,
      tooltip: {...base(color).tooltip, trigger: 'item', formatter: ({data: point, seriesName}) => {
        const curve = shown.find(one => one.name === seriesName);
        const at = point[2];
        const say = withUnit(unit);
        return tip(`${curve.line.label}, ${knob} ${curve.line.step[at]}`, [
          [this.color(curve, color), 'throughput', say(curve.line.throughput[at]) + (unit === 'iops' ? ' IOPS' : '')],
          [this.color(curve, color), 'mean', withUnit('ns')(curve.line.mean_ns[at])],
          [this.color(curve, color), 'p99', withUnit('ns')(curve.line.p99_ns[at])]]);
      }},
    };
  }
  legend(color) {
    return this.curves.map(curve => ({label: curve.name, fill: this.color(curve, color), dash: curve.dash}));
  }
  rows() {
    const say = withUnit(this.chart.unit);
    return table(['run', this.chart.knob, 'throughput', 'mean', 'p99'], this.chart.lines.flatMap(line => line.step.map((step, i) =>
      [line.label, step, say(line.throughput[i]), withUnit('ns')(line.mean_ns[i]), withUnit('ns')(line.p99_ns[i])])));
  }
  say() {
    const say = withUnit(this.chart.unit);
    return this.chart.lines.map(line => `${line.label}: ${line.step.map((step, i) =>
      `${this.chart.knob} ${step} ${say(line.throughput[i])} at ${withUnit('ns')(line.mean_ns[i])}`).join(', ')}`).join('; ');
  }
}

const KINDS = {course: Course, heat_map: HeatMap, curve: Curve, bars: Bars, ramp: Ramp};

// ---- A chart on the page -------------------------------------------------------------------

const mounted = new Set();

class Figure {
  constructor(chart, section, mates) {
    this.figure = document.getElementById(chart.id);
    this.plot = this.figure.querySelector('.plot');
    this.title = chart.title;
    this.section = section;
    this.mates = mates;
    this.kind = new KINDS[chart.kind](chart, section);
    if (this.kind.wide) this.figure.classList.add('wide');
    const width = this.plot.clientWidth || 600;
    this.plot.style.height = `${this.kind.height(width)}px`;
    this.plot.tabIndex = 0;
    this.plot.setAttribute('role', 'img');
    this.plot.setAttribute('aria-label', `${chart.title}. ${this.kind.say()}`);
    this.tools();
    const behind = this.figure.querySelector('.behind');
    behind.addEventListener('toggle', () => {
      if (behind.open) behind.querySelector('.scroll').replaceChildren(this.kind.rows());
    });
    this.plot.addEventListener('keydown', event => this.key(event));
  }
  tools() {
    const tools = this.figure.querySelector('.tools');
    if (this.kind.timed) {
      const button = (text, label, act) => element('button', {type: 'button', 'aria-label': `${label}: ${this.title}`, title: label, onclick: act}, text);
      tools.append(button('+', 'Zoom in', () => this.zoom(0.5)), button('−', 'Zoom out', () => this.zoom(2)),
        button('Reset', 'Show all of the time', () => this.reset()));
    }
    tools.append(element('button', {type: 'button', 'aria-label': `Save as PNG: ${this.title}`,
      onclick: () => this.save()}, 'PNG'));
  }
  mount() {
    if (this.instance) return;
    this.instance = echarts.init(this.plot, null, {renderer: 'canvas'});
    mounted.add(this);
    this.draw();
    if (this.kind.timed) this.dragging();
    new ResizeObserver(() => this.resize()).observe(this.plot);
  }
  resize(width) {
    const wide = width ?? this.plot.clientWidth;
    if (!wide || (wide === this.width && !width)) return;
    this.plot.style.height = `${this.kind.height(wide)}px`;
    this.instance.resize({width: width ?? 'auto', height: this.kind.height(wide)});
    this.draw(wide);
  }
  draw(width) {
    if (!this.instance) return;
    const color = palette();
    this.stale = false;
    this.width = width ?? this.plot.clientWidth;
    this.instance.setOption(this.kind.option(color, this.width), {notMerge: true});
    this.keys(color);
  }
  // Only what can be seen is drawn at once; the rest when it comes into view.
  refresh() {
    if (this.visible) this.draw(); else this.stale = true;
  }
  keys(color) {
    const entries = this.kind.legend(color);
    const legend = this.figure.querySelector('.legend');
    legend.replaceChildren(...entries.map(({label, fill, dash, box}) => element('button', {
      type: 'button', 'aria-pressed': String(!this.kind.hidden.has(label)),
      onclick: () => {
        const {hidden} = this.kind;
        if (hidden.has(label)) hidden.delete(label); else hidden.add(label);
        this.draw();
        legend.querySelectorAll('button')[entries.findIndex(one => one.label === label)]?.focus();
      },
    }, swatch(fill, dash, box), label)));
  }
  // -- The time window, shared by the charts of a section.
  show(from, to) {
    const {view, time} = this.section;
    const least = Math.max(time.end_s / 5000, 0.5);
    let [a, b] = [Math.max(0, from), Math.min(time.end_s, to)];
    if (b - a < least) {
      const middle = (a + b) / 2;
      [a, b] = [Math.max(0, middle - least / 2), Math.min(time.end_s, middle + least / 2)];
    }
    view.from = a;
    view.to = b;
    cancelAnimationFrame(this.section.frame);
    this.section.frame = requestAnimationFrame(() => {
      for (const mate of this.mates) if (mate.kind.timed) mate.refresh();
    });
  }
  zoom(factor, at) {
    const {from, to} = this.section.view;
    const middle = at ?? (from + to) / 2;
    this.show(middle - (middle - from) * factor, middle + (to - middle) * factor);
  }
  reset() { this.show(0, this.section.time.end_s); }
  at(x) {
    const {from, to} = this.section.view;
    const width = this.plot.clientWidth - 58 - this.right();
    return from + Math.min(1, Math.max(0, (x - 58) / width)) * (to - from);
  }
  right() { return this.kind.map && this.plot.clientWidth >= 500 ? 92 : 12; }
  dragging() {
    const veil = element('div', {hidden: true, class: 'veil'});
    Object.assign(veil.style, {position: 'absolute', top: '10px', bottom: '24px', pointerEvents: 'none',
      background: 'rgba(80,140,220,.18)', zIndex: 4});
    this.plot.style.position = 'relative';
    this.plot.append(veil);
    let from = null;
    const place = event => event.clientX - this.plot.getBoundingClientRect().left;
    this.plot.addEventListener('pointerdown', event => {
      if (event.button !== 0 || event.pointerType === 'touch') return;
      from = place(event);
    });
    window.addEventListener('pointermove', event => {
      if (from === null) return;
      const to = place(event);
      veil.hidden = Math.abs(to - from) < 4;
      Object.assign(veil.style, {left: `${Math.min(from, to)}px`, width: `${Math.abs(to - from)}px`});
    });
    window.addEventListener('pointerup', event => {
      if (from === null) return;
      const to = place(event);
      if (Math.abs(to - from) >= 4) this.show(this.at(Math.min(from, to)), this.at(Math.max(from, to)));
      from = null;
      veil.hidden = true;
    });
    this.plot.addEventListener('dblclick', () => this.reset());
    this.plot.addEventListener('wheel', event => {
      // The page scrolls; with Ctrl the chart zooms.
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.at(place(event)));
    }, {passive: false});
  }
  key(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (step) {
      event.preventDefault();
      this.cursor = Math.min(1, Math.max(0, (this.cursor ?? 0.5) + step * 0.02));
      const x = 58 + this.cursor * (this.plot.clientWidth - 58 - this.right());
      this.instance?.dispatchAction({type: 'showTip', x, y: 60});
    } else if (this.kind.timed && '+=-0'.includes(event.key)) {
      event.preventDefault();
      if (event.key === '0') this.reset(); else this.zoom(event.key === '-' ? 2 : 0.5);
    }
  }
  // The keys of a picture, as many on a line as there is room for.
  placed(color, room) {
    const pen = element('canvas').getContext('2d');
    pen.font = `12px ${FONT}`;
    let [x, line] = [12, 0];
    return this.kind.legend(color).filter(({label}) => !this.kind.hidden.has(label)).map(({label, fill}) => {
      const width = 32 + pen.measureText(label).width;
      if (x > 12 && x + width - 15 > 12 + room) [x, line] = [12, line + 1];
      const key = {label, fill, x, line};
      x += width;
      return key;
    });
  }
  // -- A picture with what it shows, of which run, and how far it may be trusted.
  picture() {
    const ratio = 2;
    const color = palette();
    const drawn = this.instance.renderToCanvas({pixelRatio: ratio, backgroundColor: color('card')});
    const room = drawn.width / ratio - 24;
    const keys = this.placed(color, room);
    const head = 44 + (keys.length ? 20 + 18 * keys.at(-1).line : 0);
    const canvas = element('canvas', {width: drawn.width, height: drawn.height + head * ratio});
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    pen.fillStyle = color('card');
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = color('ink');
    pen.font = `600 15px ${FONT}`;
    pen.fillText(this.title, 12, 20, room);
    pen.fillStyle = color('soft');
    pen.font = `12px ${FONT}`;
    pen.fillText(this.section.caption, 12, 37, room);
    for (const {label, fill, x, line} of keys) {
      pen.fillStyle = fill;
      pen.fillRect(x, 48 + 18 * line, 12, 8);
      pen.fillStyle = color('ink');
      pen.fillText(label, x + 17, 56 + 18 * line, room - 17);
    }
    pen.drawImage(drawn, 0, head, drawn.width / ratio, drawn.height / ratio);
    return canvas;
  }
  save() {
    this.mount();
    if (this.stale) this.draw();
    this.picture().toBlob(blob => {
      const address = URL.createObjectURL(blob);
      const name = `${this.section.caption} ${this.title}`.replace(/[^\w.-]+/g, '-').slice(0, 120);
      element('a', {href: address, download: `${name}.png`}).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    });
  }
}

// ---- The page ------------------------------------------------------------------------------

const dark = matchMedia('(prefers-color-scheme: dark)');
let chosen = null;
const apply = () => {
  const is = chosen ?? (dark.matches ? 'dark' : 'light');
  root.dataset.theme = is;
  document.getElementById('theme').textContent = is === 'dark' ? 'Light' : 'Dark';
  for (const figure of mounted) figure.draw();
};

const figures = [];
for (const section of data.sections) {
  if (section.time) section.view = {from: 0, to: section.time.end_s};
  const mates = [];
  for (const chart of section.charts) mates.push(new Figure(chart, section, mates));
  figures.push(...mates);
}
const watcher = new IntersectionObserver(entries => {
  for (const entry of entries) {
    const figure = figures.find(one => one.figure === entry.target);
    figure.visible = entry.isIntersecting;
    if (!figure.visible) continue;
    if (!figure.instance) figure.mount(); else if (figure.stale) figure.draw();
  }
}, {rootMargin: '250px'});
figures.forEach(figure => watcher.observe(figure.figure));

const theme = document.getElementById('theme');
theme.hidden = false;
theme.addEventListener('click', () => {
  chosen = root.dataset.theme === 'dark' ? 'light' : 'dark';
  apply();
});
dark.addEventListener('change', apply);
apply();

const print = document.getElementById('print');
print.hidden = false;
print.addEventListener('click', () => window.print());
let before = null;
window.addEventListener('beforeprint', () => {
  before = chosen;
  chosen = 'light';
  figures.forEach(figure => figure.mount());
  apply();
  figures.forEach(figure => figure.resize(680));
});
window.addEventListener('afterprint', () => {
  chosen = before;
  apply();
  figures.forEach(figure => { figure.width = null; figure.resize(); });
});

const jump = document.getElementById('jump');
const places = [...document.querySelectorAll('main h2')];
if (places.length > 2) {
  jump.append(...places.map(place => element('option', {value: place.id}, place.textContent)));
  jump.parentElement.hidden = false;
  jump.addEventListener('change', () => document.getElementById(jump.value).scrollIntoView());
}
})();
