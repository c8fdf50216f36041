// SPDX-License-Identifier: BSD-3-Clause
// Evaluated in a page. Returns each text whose contrast is below 4.5, and each bar below 3, with colours.
(() => {
  const numbers = color => (color.match(/[\d.]+/g) ?? []).map(Number);
  const visible = color => color && color !== 'none' && !(numbers(color).length === 4 && numbers(color)[3] === 0);
  const light = color => {
    const [r, g, b] = numbers(color).map(x => x / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (x, y) => (Math.max(light(x), light(y)) + 0.05) / (Math.min(light(x), light(y)) + 0.05);
  const behind = element => {
    for (let e = element; e; e = e.parentElement)
      if (!(e instanceof SVGElement) && visible(getComputedStyle(e).backgroundColor)) return getComputedStyle(e).backgroundColor;
    return 'rgb(255, 255, 255)';
  };
  // The last shape of the drawing below the middle of a text.
  const shapeBelow = text => {
    const box = text.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    let found = null;
    for (const shape of text.ownerSVGElement.querySelectorAll('rect')) {
      if (shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_PRECEDING) break;
      const of = shape.getBoundingClientRect();
      if (of.left <= x && x <= of.right && of.top <= y && y <= of.bottom && visible(getComputedStyle(shape).fill))
        found = getComputedStyle(shape).fill;
    }
    return found;
  };
  const wrong = [];
  let seen = 0;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const of = texts.currentNode.parentElement, style = getComputedStyle(of);
    if (!texts.currentNode.data.trim() || ['SCRIPT', 'NOSCRIPT', 'TITLE'].includes(of.tagName) || of.tagName === 'title' ||
        style.display === 'none' || of.getClientRects().length === 0) continue;
    const drawn = of instanceof SVGElement, color = drawn ? style.fill : style.color;
    const back = (drawn && shapeBelow(of)) || behind(drawn ? of.ownerSVGElement : of);
    ++seen;
    if (contrast(color, back) < 4.5) wrong.push([texts.currentNode.data.trim(), color, back, contrast(color, back).toFixed(2)]);
  }
  for (const bar of document.querySelectorAll('rect.own, rect.new, rect.own-b, rect.new-b'))
    if (contrast(getComputedStyle(bar).fill, behind(bar.ownerSVGElement)) < 3) wrong.push([bar.getAttribute('class')]);
  return {seen, wrong};
})()
