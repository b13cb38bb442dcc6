// What a page can do beyond what it shows: say what is under the pointer, change its theme, print,
// and save a chart as a picture. All numbers are those of the tables behind the charts. Nothing is
// fetched; the only writes are to this page.
(() => {
'use strict';

const root = document.documentElement;
const make = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

// ---- What is under the pointer --------------------------------------------------------------

class Reading {
  constructor(figure) {
    this.panels = figure.querySelector('.panels');
    this.edges = figure.dataset.edges.split(' ').map(Number);
    const table = figure.querySelector('.behind table');
    this.heads = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
    this.rows = table.tBodies[0].rows;
    this.cursor = make('div', {class: 'cursor', hidden: ''});
    this.tip = make('div', {class: 'tip', hidden: ''});
    this.panels.append(this.cursor, this.tip);
    this.panels.tabIndex = 0;
    this.panels.addEventListener('pointermove', event => this.at(event.clientX));
    this.panels.addEventListener('pointerleave', () => this.leave());
    this.panels.addEventListener('blur', () => this.leave());
    this.panels.addEventListener('keydown', event => {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (!step) return;
      event.preventDefault();
      this.show(Math.max(0, Math.min(this.rows.length - 1, (this.row ?? -1) + step)));
    });
  }
  area() { return this.panels.querySelector('.area').getBoundingClientRect(); }
  at(x) {
    const {left, width} = this.area();
    const share = (x - left) / width * 1000;
    if (share < 0 || share > 1000) return this.leave();
    const row = this.edges.findIndex(edge => edge >= share);
    return this.show(row < 0 ? this.rows.length - 1 : row);
  }
  show(row) {
    this.row = row;
    const cells = [...this.rows[row].cells].map(cell => cell.textContent);
    const named = cells.map((value, i) => [this.heads[i], value]).slice(1).filter(([, value]) => value);
    this.tip.replaceChildren(make('b', {}, cells[0]), make('table', {}, ...named.slice(0, 14).map(pair =>
      make('tr', {}, ...pair.map(words => make('td', {}, words))))));
    const {left, width} = this.area();
    const own = this.panels.getBoundingClientRect();
    const middle = ((this.edges[row - 1] ?? 0) + this.edges[row]) / 2000;
    const x = left - own.left + middle * width;
    this.cursor.hidden = this.tip.hidden = false;
    this.cursor.style.left = `${x}px`;
    const room = own.width - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(room, x > own.width / 2 ? x - this.tip.offsetWidth - 10 : x + 10))}px`;
  }
  leave() { this.cursor.hidden = this.tip.hidden = true; }
}

// ---- A chart as a picture -------------------------------------------------------------------

const LOOK = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin',
  'opacity', 'font-size', 'font-weight', 'font-family', 'text-anchor', 'paint-order', 'vector-effect',
  'display', 'overflow'];
const space = 'http' + '://www.w3.org/2000/svg';
const svg = (name, attributes, ...children) => {
  const made = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const dressed = node => {
  const copy = node.cloneNode(false);
  if (node.nodeType === Node.ELEMENT_NODE) {
    const style = getComputedStyle(node);
    copy.setAttribute('style', LOOK.map(name => `${name}:${style.getPropertyValue(name)}`).join(';'));
    copy.append(...[...node.childNodes].map(dressed));
  }
  return copy;
};
const save = figure => {
  const panels = figure.querySelector('.panels');
  const {left, top, width} = panels.getBoundingClientRect();
  const style = getComputedStyle(figure);
  const line = (y, size, words) => svg('text', {x: 10, y, 'font-size': size, fill: style.color,
    'font-family': 'sans-serif'}, words);
  const title = figure.querySelector('h2, h3').textContent;
  const keys = [...figure.querySelectorAll('.legend li')].map(key => key.textContent).join(' · ');
  const head = keys ? 62 : 44;
  const height = head + panels.offsetHeight;
  const whole = svg('svg', {xmlns: space, width, height},
    svg('rect', {width, height, fill: style.backgroundColor}), line(20, 15, title),
    line(38, 12, document.body.dataset.caption), line(55, 12, keys));
  for (const panel of panels.querySelectorAll(':scope > svg')) {
    const place = panel.getBoundingClientRect();
    const copy = dressed(panel);
    for (const [key, value] of Object.entries({x: place.left - left, y: place.top - top + head,
      width: place.width, height: place.height})) copy.setAttribute(key, value);
    whole.append(copy);
  }
  const picture = new Image();
  picture.addEventListener('load', () => {
    const canvas = make('canvas', {width: width * 2, height: height * 2});
    canvas.getContext('2d').drawImage(picture, 0, 0, width * 2, height * 2);
    const name = `${document.body.dataset.caption} ${title}`.replace(/[^\w.-]+/g, '-').slice(0, 120);
    make('a', {href: canvas.toDataURL('image/png'), download: `${name}.png`}).click();
  });
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(whole))}`;
};

for (const figure of document.querySelectorAll('figure.chart')) {
  if (figure.dataset.edges) new Reading(figure);
  const title = figure.querySelector('h2, h3').textContent;
  const button = make('button', {type: 'button', 'aria-label': `Save as PNG: ${title}`}, 'PNG');
  button.addEventListener('click', () => save(figure));
  figure.querySelector('.tools').append(button);
}

// ---- The page -------------------------------------------------------------------------------

const dark = matchMedia('(prefers-color-scheme: dark)');
const theme = document.getElementById('theme');
const is = () => root.dataset.theme ?? (dark.matches ? 'dark' : 'light');
const name = () => { theme.textContent = is() === 'dark' ? 'Light' : 'Dark'; };
theme.addEventListener('click', () => {
  root.dataset.theme = is() === 'dark' ? 'light' : 'dark';
  name();
});
dark.addEventListener('change', name);
name();
const print = document.getElementById('print');
print.addEventListener('click', () => window.print());
theme.hidden = print.hidden = false;
// A link to what is folded opens it.
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  target?.scrollIntoView();
};
addEventListener('hashchange', open);
if (location.hash) open();
})();
