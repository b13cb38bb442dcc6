// Opens each view in a frame of its own size, one after another, and keeps what they tell.
const told = [];
const next = () => {
  const view = views[told.length];
  if (!view) {
    document.getElementById('found').textContent = JSON.stringify(told);
    return;
  }
  const frame = document.createElement('iframe');
  frame.width = view.width;
  frame.height = view.height;
  frame.src = `${view.file}#${encodeURIComponent(JSON.stringify(view))}`;
  document.body.replaceChildren(document.getElementById('found'), frame);
};
addEventListener('message', ({data}) => { told.push(data); next(); });
next();
