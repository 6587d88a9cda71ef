for (const panel of document.querySelectorAll('.execution')) {
  const states = [...panel.querySelectorAll('[data-at]')];
  const marks = [...panel.querySelectorAll('[data-step]')];
  const where = panel.querySelector('.where');
  const last = states.length - 1;
  let at = 0;
  function go(to) {
    at = Math.max(0, Math.min(last, to));
    states.forEach((state, number) => state.classList.toggle('away', number !== at));
    for (const mark of marks) {
      const step = Number(mark.dataset.step);
      mark.classList.toggle('later', step > at);
      mark.classList.toggle('here', step === at);
    }
    where.textContent = 'step ' + at + ' of ' + last;
    show(marks.find(mark => Number(mark.dataset.step) === at));
  }
  // Scrolls the picture alone: the page stays where the reader has it.
  function show(mark) {
    const pane = panel.querySelector('.lanes');
    if (!mark) { pane.scrollTop = 0; return; }
    const [box, frame] = [mark.getBoundingClientRect(), pane.getBoundingClientRect()];
    if (box.top < frame.top) pane.scrollTop -= frame.top - box.top + 30;
    if (box.bottom > frame.bottom) pane.scrollTop += box.bottom - frame.bottom + 30;
  }
  const ways = { first: () => 0, back: () => at - 1, forward: () => at + 1, last: () => last };
  const keys = { Home: 'first', ArrowLeft: 'back', ArrowUp: 'back', ArrowRight: 'forward', ArrowDown: 'forward', End: 'last' };
  panel.addEventListener('keydown', event => {
    const way = keys[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(ways[way]());
  });
  for (const button of panel.querySelectorAll('[data-go]')) button.onclick = () => go(ways[button.dataset.go]());
  for (const mark of marks) mark.onclick = () => go(Number(mark.dataset.step));
  panel.querySelector('.controls').hidden = false;
  if (panel.dataset.begin === 'end') go(last); else go(0);
  if ('focus' in panel.dataset) panel.focus();
}
