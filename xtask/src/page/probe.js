// Appended to a copy of a page: tells the page around it what is wrong with it.
addEventListener('load', async () => {
  const found = [];
  const root = document.documentElement;
  const view = JSON.parse(decodeURIComponent(location.hash.slice(1)));
  if (view.theme) root.dataset.theme = view.theme;
  if (root.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll('main *')].filter(one =>
      one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.scroll, svg'));
    const names = wide.slice(0, 3).map(one => `${one.tagName.toLowerCase()}.${one.className}`);
    found.push(`scrolls sideways: ${root.scrollWidth} of ${innerWidth} px (${names.join(', ')})`);
  }
  const first = document.querySelector(view.first);
  if (!first) found.push(`nothing is ${view.first}`);
  else {
    const bottom = Math.round(first.getBoundingClientRect().bottom);
    if (bottom > view.within) found.push(`${view.first} ends at ${bottom} px, beyond ${view.within}`);
  }
  for (const figure of document.querySelectorAll('figure.chart')) {
    const title = figure.querySelector('h2, h3').textContent;
    if (!figure.querySelector('.panels path, .panels rect, .panels circle')) found.push(`${title}: nothing is drawn`);
    const table = figure.querySelector('.behind tbody');
    if (table && !table.rows.length) found.push(`${title}: its table is empty`);
  }
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const {violations} = await axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
    resultTypes: ['violations']});
  for (const {id, help, nodes} of violations) {
    found.push(`${id}: ${help} (${nodes.length}, first ${nodes[0].target.join(' ')}: ${nodes[0].failureSummary.replace(/\s+/g, ' ')})`);
  }
  parent.postMessage({name: view.name, found}, '*');
});
