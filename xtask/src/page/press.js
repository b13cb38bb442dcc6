// Appended to a copy of a page: presses the button of each chart and tells what is wrong with the
// pictures that come of it.
addEventListener('load', async () => {
  const found = [];
  const view = JSON.parse(decodeURIComponent(location.hash.slice(1)));
  const within = (promise, milliseconds) => Promise.race([promise,
    new Promise(resolve => { setTimeout(resolve, milliseconds); })]);
  const press = button => new Promise(resolve => {
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function saved() {
      HTMLAnchorElement.prototype.click = click;
      resolve({href: this.href, name: this.download});
    };
    button.click();
  });
  const decoded = href => new Promise((resolve, reject) => {
    const picture = new Image();
    picture.addEventListener('load', () => resolve(picture));
    picture.addEventListener('error', reject);
    picture.src = href;
  });
  const colours = picture => {
    const canvas = document.createElement('canvas');
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
    const all = new Set();
    for (let at = 0; at < data.length; at += 4) all.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
    return all.size;
  };
  const figures = document.querySelectorAll('figure.chart');
  if (!figures.length) found.push('there is no chart to save');
  for (const figure of figures) {
    for (let fold = figure; fold; fold = fold.parentElement) if (fold.tagName === 'DETAILS') fold.open = true;
    const title = figure.querySelector('h2, h3').textContent;
    const panels = figure.querySelector('.panels');
    const saved = await within(press(figure.querySelector('.tools button')), 5000);
    if (!saved) {
      found.push(`${title}: its button saves nothing`);
      continue;
    }
    if (!saved.href.startsWith('data:image/png;base64,iVBORw0KGgo')) found.push(`${title}: what is saved is no PNG`);
    if (!/^[\w.-]+\.png$/.test(saved.name)) found.push(`${title}: it is saved as ${saved.name}`);
    const picture = await decoded(saved.href).catch(() => null);
    const [width, height] = [2 * panels.getBoundingClientRect().width, 2 * panels.offsetHeight];
    const {naturalWidth, naturalHeight} = picture ?? {naturalWidth: 0, naturalHeight: 0};
    const above = naturalHeight - height;
    if (Math.abs(naturalWidth - width) > 2 || above < 80 || above > 160) {
      found.push(`${title}: a picture of ${naturalWidth} by ${naturalHeight} of a chart of ${width} by ${height}`);
    } else if (colours(picture) < 16) found.push(`${title}: nothing is drawn in its picture`);
  }
  parent.postMessage({name: view.name, found}, '*');
});
