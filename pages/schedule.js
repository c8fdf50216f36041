// SPDX-License-Identifier: BSD-3-Clause
// The page of xschedule: who sends what to whom in which step, costs of algorithms, and elements that stay.

const defined = data.algorithms.filter(one => one.exchanges);
const named = name => defined.find(one => one.name === name);
const first = named(data.first[0]) ?? defined[0], caterpillar = named('caterpillar');
const elementBytes = 8;
const inBytes = elements => bytes(elements * elementBytes);
const micro = x => seconds(x * 1e-6);
const times = x => x.toLocaleString('en', {minimumFractionDigits: 2, maximumFractionDigits: 2});
const ratio = x => data.bound.us > 0 ? x / data.bound.us : null;
const grid = x => x.join(' × ');
const hue = process => `--hue: ${(process * 137.508 + 210) % 360}`;

// All steps of an algorithm, over its passes or hops: {exchange, messages}. A message: {sender, receiver, elements}.
function stepsOf(algorithm) {
  return algorithm.exchanges.flatMap(exchange => {
    const steps = Array.from({length: exchange.steps}, () => ({exchange, messages: []}));
    for (let k = 0; k < exchange.parts.length; k += 4) {
      const [step, sender, receiver, elements] = exchange.parts.slice(k, k + 4);
      steps[step].messages.push({sender, receiver, elements});
    }
    return steps;
  });
}

// ---- The array: its blocks on A's and on B's processes.

// Returns intervals of one dimension with their owners in A and in B: {begin, end, a, b}.
function intervals(dimension) {
  const found = [];
  let a = 0, b = 0, begin = 0;
  while (begin < dimension.shown) {
    const end = Math.min(dimension.a[a][0], dimension.b[b][0]);
    found.push({begin, end, a: dimension.a[a][1], b: dimension.b[b][1]});
    if (dimension.a[a][0] === end) ++a;
    if (dimension.b[b][0] === end) ++b;
    begin = end;
  }
  return found;
}

const number = (places, counts) => places.reduce((rank, place, k) => rank * counts[k] + place, 0);

const isLine = data.dimensions.length === 2 && data.dimensions[1].n === 1;

// The dimensions beyond the second. A picture shows the elements at one place of each.
const later = data.dimensions.slice(2);

// Draws the owners of all elements on one side, at `places` in the later dimensions; returns {picture, mark(pairs)}, which
// marks the elements of messages.
function drawArray(side, places) {
  const [down, across] = isLine ? [null, data.dimensions[0]] : data.dimensions;
  const left = isLine ? 4 : 40, top = 22, width = isLine ? 1000 : 400;
  const x = k => left + (width - left - 4) * k / across.shown;
  const height = isLine ? 44 : Math.min(400, Math.max(60, (width - left) * down.shown / across.shown));
  const y = k => down ? top + height * k / down.shown : top + (k ? height : 0);
  const counts = data.grids[side];
  const rank = (which, i, j) => number(isLine ? [j, 0] : [i, j, ...later.map((one, k) => ownerOf(one, which, places[k]))], data.grids[which]);
  const rows = down ? intervals(down) : [{begin: 0, end: 1, a: 0, b: 0}], cols = intervals(across);
  const cells = new Map();
  const shapes = rows.flatMap(row => cols.map(col => {
    const a = rank('a', row.a, col.a), b = rank('b', row.b, col.b), key = `${a},${b}`;
    const shape = svg('rect', {class: 'owner', style: hue(side === 'a' ? a : b), x: x(col.begin), y: y(row.begin),
                               width: x(col.end) - x(col.begin), height: y(row.end) - y(row.begin)});
    if (!cells.has(key)) cells.set(key, []);
    cells.get(key).push(shape);
    return shape;
  }));
  const blocks = dimension => dimension[side].map(([end, owner], k) => ({begin: k ? dimension[side][k - 1][0] : 0, end, owner}));
  const lines = [], names = [];
  for (const row of down ? blocks(down) : [{begin: 0, end: 1, owner: 0}])
    for (const col of blocks(across)) {
      const w = x(col.end) - x(col.begin), h = y(row.end) - y(row.begin), name = String(rank(side, row.owner, col.owner));
      lines.push(svg('rect', {class: 'block', x: x(col.begin), y: y(row.begin), width: w, height: h}));
      if (w > 7.5 * name.length + 3 && h > 13)
        names.push(svg('text', {x: x(col.begin) + w / 2, y: y(row.begin) + h / 2 + 4.5, 'text-anchor': 'middle'}, name));
    }
  const ticks = (dimension, least) => {  // at ends of blocks, at a distance
    const ends = [0, ...dimension[side].map(([end]) => end)], chosen = [];
    for (const end of ends) if (!chosen.length || end - chosen.at(-1) >= least * dimension.shown) chosen.push(end);
    return chosen;
  };
  const marks = [...ticks(across, isLine ? 0.06 : 0.12).map(k => svg('text', {class: 'tick', x: x(k), y: top - 6, 'text-anchor': 'middle'}, whole(k))),
                 ...(down ? ticks(down, 0.08).map(k => svg('text', {class: 'tick', x: left - 5, y: y(k) + 4, 'text-anchor': 'end'}, whole(k))) : [])];
  const title = `${side.toUpperCase()} on ${grid(counts)} processes`;
  const picture = html('figure', {class: 'array'}, html('figcaption', {}, html('strong', {}, title)),
    svg('svg', {viewBox: `0 0 ${width} ${top + height + 4}`, role: 'img', style: `max-width: ${width}px`,
                'aria-label': `${title}: the owner of each block`}, ...shapes, ...lines, ...names, ...marks));
  let marked = [];
  const mark = pairs => {
    for (const shape of marked) shape.classList.remove('moves');
    marked = pairs.flatMap(key => cells.get(key) ?? []);
    for (const shape of marked) shape.classList.add('moves');
  };
  return {picture, mark};
}

const ownerOf = (dimension, side, k) => dimension[side].find(([end]) => k < end)[1];

// ---- The messages of an algorithm: a row for each sender, a column for each receiver.

const maxEnds = 64;

// Draws the messages of an exchange whose first step has the number `before`; returns {picture, note, mark(number)}.
function drawMessages(exchange, steps, before) {
  const rows = Math.min(exchange.cut ?? exchange.senders, maxEnds), cols = Math.min(exchange.receivers, maxEnds);
  const cell = Math.max(9, Math.min(32, Math.floor(470 / Math.max(rows, cols)))), left = 46, top = 40;
  const every = Math.max(1, Math.ceil(22 / cell)), numbers = new Map(), shapes = new Map();
  steps.forEach((step, k) => {
    for (const {sender, receiver} of step.messages)
      if (sender < rows && receiver < cols) {
        const key = sender * cols + receiver;
        numbers.set(key, [...(numbers.get(key) ?? []), before + k]);
      }
  });
  const parts = [...numbers].flatMap(([key, of]) => {
    const sender = Math.floor(key / cols), receiver = key % cols, x = left + receiver * cell, y = top + sender * cell;
    const shape = svg('rect', {class: sender === receiver ? 'message self' : 'message', x: x + 1, y: y + 1,
                               width: cell - 2, height: cell - 2, rx: 2});
    const name = of.map(k => k + 1).join('+');
    const text = cell >= 17 && name.length * 7 < cell + 2 ?
      svg('text', {class: 'step', x: x + cell / 2, y: y + cell / 2 + 4, 'text-anchor': 'middle'}, name) : null;
    for (const k of of) shapes.set(k, [...(shapes.get(k) ?? []), shape, text].filter(Boolean));
    return [shape, text].filter(Boolean);
  });
  const tick = (attributes, text) => svg('text', {class: 'tick', 'text-anchor': 'middle', ...attributes}, text);
  const names = [tick({x: left + cols * cell / 2, y: 13}, 'receiver'),
                 tick({x: -(top + rows * cell / 2), y: 12, transform: 'rotate(-90)'}, 'sender')];
  for (let q = 0; q < cols; q += every) names.push(tick({x: left + (q + 0.5) * cell, y: top - 7}, String(q)));
  for (let p = 0; p < rows; p += every)
    names.push(tick({x: left - 6, y: top + (p + 0.5) * cell + 4, 'text-anchor': 'end'}, String(p)));
  const width = left + cols * cell + 2, height = top + rows * cell + 2;
  let marked = [];
  return {
    picture: svg('svg', {viewBox: `0 0 ${width} ${height}`, style: `max-width: ${width}px`, role: 'img',
                         'aria-label': 'steps of the messages, by sender and receiver'}, ...parts, ...names),
    note: exchange.senders > rows || exchange.receivers > cols ?
      `The first ${rows} of ${whole(exchange.senders)} senders and ${cols} of ${whole(exchange.receivers)} receivers.` : '',
    mark(k) {
      for (const shape of marked) shape.classList.remove('now');
      marked = shapes.get(k) ?? [];
      for (const shape of marked) shape.classList.add('now');
    }};
}

// ---- The player.

const staying = count => count === 1 ? '1 that stays on its process' : `${whole(count)} that stay on their process`;

// A panel for an algorithm, at first `chosen`: {element, steps, direct, show(step)}. Calls changed() after another choice.
function panel(label, chosen, changed) {
  const select = html('select', {change: () => { set(named(select.value)); changed(); }},
    defined.map(one => html('option', {value: one.name, selected: one === chosen ? '' : null}, one.name)));
  const cost = html('p', {class: 'note'}), place = html('div', {}), now = html('div', {class: 'messages'});
  const made = {element: html('div', {class: 'panel'}, html('label', {}, `${label} `, select), cost, place, now), show};
  let pictures = new Map();  // of each exchange
  function set(algorithm) {
    made.steps = stepsOf(algorithm);
    made.direct = algorithm.exchanges.length === 1;
    let before = 0;
    pictures = new Map(algorithm.exchanges.map(exchange => {
      const drawn = drawMessages(exchange, made.steps.slice(before, before + exchange.steps), before);
      before += exchange.steps;
      return [exchange, drawn];
    }));
    const of = ratio(algorithm.without);
    cost.textContent = `${plural(algorithm.steps, 'step')}, ${micro(algorithm.without)} without barriers` +
      (of ? `, ${times(of)} times the bound` : '') + (algorithm.note ? `; ${algorithm.note}` : '');
  }
  function show(k) {
    const step = made.steps[k], drawn = pictures.get((step ?? made.steps.at(-1))?.exchange);
    for (const one of pictures.values()) one.mark(k);
    place.replaceChildren(...(drawn ? [drawn.picture, html('p', {class: 'note'}, drawn.note)] : []));
    if (!step) {
      now.replaceChildren(html('p', {}, made.steps.length ? 'All messages have been sent.' : 'There are no messages.'));
      return;
    }
    const list = [...step.messages].sort((x, y) => y.elements - x.elements), most = 40;
    const between = list.filter(one => one.sender !== one.receiver);
    const name = (made.direct ? '' : ` (${step.exchange.name})`) +
      (step.exchange.cut ? ` of the first ${plural(step.exchange.cut, 'sender')}` : '');
    now.replaceChildren(
      html('p', {}, html('strong', {}, `Step ${k + 1}${name}: ${plural(between.length, 'message')}, ` +
        `${inBytes(sum(between.map(one => one.elements)))}`), list.length > between.length ? `, and ${staying(list.length - between.length)}` : ''),
      html('ul', {class: 'sent'}, list.slice(0, most).map(({sender, receiver, elements}) => html('li', {},
        sender === receiver ? `${sender} keeps ` : `${sender} → ${receiver} `, html('small', {}, `${plural(elements, 'element')}, ${inBytes(elements)}`)))),
      list.length > most ? html('p', {class: 'note'}, `and ${whole(list.length - most)} more`) : '');
  }
  set(chosen);
  return made;
}

function player() {
  const second = named(data.first[1]) ?? caterpillar ?? first;
  const slider = html('input', {type: 'range', id: 'step', min: 1, value: 1, input: () => show()});
  const output = html('output', {for: 'step'});
  const back = html('button', {type: 'button', click: () => go(-1)}, '‹ Back'), next = html('button', {type: 'button', click: () => go(1)}, 'Next ›');
  const panels = [panel('Algorithm', first, show), panel('beside', second, show)];
  const arrays = html('div', {class: isLine ? 'side stack' : 'side'});
  let drawn = [];
  const places = later.map(() => 0);
  const planes = later.map((one, k) => {  // a slider for each of the later dimensions
    const id = `plane${k + 3}`;
    const choice = html('input', {type: 'range', id, min: 0, max: one.shown - 1, value: 0,
                                  input: () => { places[k] = Number(choice.value); drawArrays(); show(); }});
    return {label: html('label', {for: id}, `Plane of dimension ${k + 3}`), choice, name: html('output', {for: id})};
  });
  function go(way) {
    slider.value = Number(slider.value) + way;
    show();
  }
  function drawArrays() {
    drawn = ['a', 'b'].map(side => drawArray(side, places));
    arrays.replaceChildren(...drawn.map(one => one.picture));
    planes.forEach(({name}, k) => { name.textContent = `plane ${places[k]} of ${later[k].n}`; });
  }
  function show() {
    const last = Math.max(1, ...panels.map(one => one.steps.length));
    slider.max = last;
    const k = Number(slider.value) - 1, {steps, direct} = panels[0];
    output.textContent = `step ${k + 1} of ${last}`;
    slider.setAttribute('aria-valuetext', output.textContent);
    back.disabled = k === 0;
    next.disabled = k === last - 1;
    for (const one of panels) one.show(k);
    for (const one of drawn) one.mark(direct && steps[k] ? steps[k].messages.map(({sender, receiver}) => `${sender},${receiver}`) : []);
  }
  drawArrays();
  show();
  const cut = data.dimensions.some(one => one.shown < one.n);
  return section('Step by step',
    html('p', {class: 'note'}, 'A number is a process. Elements in strong colours travel, or stay, in this step of the first algorithm below.' +
      (cut ? ' The picture shows the first blocks of a larger array.' : '')),
    html('div', {class: 'controls screen'}, html('label', {for: 'step'}, 'Step'), back, slider, next, output,
      planes.flatMap(({label, choice, name}) => [label, choice, name])),
    arrays,
    html('p', {class: 'note'}, 'Below, the number in a cell is the step of a message; the messages of this step are blue. A dashed cell stays on its process.'),
    html('div', {class: 'side'}, panels.map(one => one.element)));
}

function costs() {
  const rows = [...defined].sort((x, y) => x.without - y.without).map(one => ({
    label: one.name, values: [one.without],
    detail: [`${plural(one.steps, 'step')}${ratio(one.without) ? `, ${times(ratio(one.without))} times the bound` : ''}`, one.note].filter(Boolean)}));
  rows.unshift({label: 'lower bound', values: [data.bound.us],
    detail: `${plural(data.bound.steps, 'message')} and ${plural(data.bound.elements, 'element')}, the maxima of a process`});
  const columns = [{head: 'algorithm', value: x => x.name}, {head: 'steps', value: x => x.steps, number: true},
    {head: 'S', value: x => x.S, number: true}, {head: 'T', value: x => x.T, text: x => whole(x.T), number: true},
    {head: 'without barriers µs', value: x => x.without, text: x => x.without.toFixed(3), number: true},
    {head: 'ratio', value: x => ratio(x.without), text: x => ratio(x.without) ? times(ratio(x.without)) : '–', number: true},
    {head: 'with barriers µs', value: x => x.barriers, text: x => x.barriers.toFixed(3), number: true},
    {head: 'ratio', value: x => ratio(x.barriers), text: x => ratio(x.barriers) ? times(ratio(x.barriers)) : '–', number: true},
    {head: 'remark', value: x => x.note, wrap: true}];
  const undefinedOnes = data.algorithms.filter(one => !one.exchanges);
  return section('Costs of the algorithms',
    html('p', {class: 'note'}, `A message takes ${digits(data.alpha)} µs, and ${digits(data.beta)} µs for each element. Messages to oneself count. ` +
      'Bars: the time without barriers between steps.'),
    bars(rows, [{name: 'without barriers', color: 'new'}], largest => x => secondsFor(largest * 1e-6)(x * 1e-6)),
    html('p', {class: 'note'}, 'S, T: maximum messages and elements of a process in a step, summed over the steps. ' +
      'Ratios are to the lower bound. With barriers, no schedule of direct messages is faster. Without barriers, none is ' +
      'if one process has both the most messages and the most elements; otherwise a ratio can be below 1.'),
    table(columns, defined, {label: 'costs'}),
    undefinedOnes.length ? html('p', {class: 'note'}, `Not defined here: ${undefinedOnes.map(one => `${one.name} (${one.note.replace('not defined: ', '')})`).join('; ')}.`) : '');
}

function elementsThatStay() {
  const {row_major, relabelled, optimal, map} = data.stay;
  const moved = map.map((process, position) => process !== position);
  const better = relabelled > row_major + 1e-12;
  const [rows, ...others] = data.grids.b, product = others.reduce((x, y) => x * y, 1);
  const [down, across] = product === 1 ? [1, rows] : [rows, product];  // a column becomes a row
  const shown = down <= 32 && across <= 32;
  const cells = shown ? Array.from({length: down}, (_, i) => html('tr', {}, Array.from({length: across}, (_, j) => {
    const process = map[i * across + j];
    return html('td', {class: moved[i * across + j] ? 'owner moved' : 'owner', style: hue(process)}, String(process));
  }))) : [];
  return section('Elements that stay',
    bars([{label: 'processes in row-major order', values: [row_major]}, {label: 'the grid that xredist_relabel chooses', values: [relabelled],
      detail: optimal ? 'no other grid keeps more' : 'another grid may keep more'}], [{name: 'part of all elements', color: 'new'}], () => percent, {full: 1}),
    html('p', {}, better ? `With this target grid, ${percent(relabelled)} of the elements stay on their process instead of ${percent(row_major)}.` :
      'The row-major target grid keeps as many elements as any other grid that was found.'),
    better && shown ? html('figure', {}, html('figcaption', {class: 'note'}, 'The process at each position of the target grid; bold numbers differ from the row-major grid.'),
      html('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'target grid'}, html('table', {class: 'target'}, html('tbody', {}, cells)))) : '');
}

function answer() {
  const of = ratio(first.without);
  return `${first.name === 'default' ? 'The default schedule' : first.name} takes ${plural(first.steps, 'step')}` +
    (of ? `; its time is ${times(of)} times the lower bound.` : '.');
}

function under() {
  const compared = caterpillar && caterpillar !== first && first.without > 0 ?
    ` The caterpillar of Prylli & Tourancheau takes ${plural(caterpillar.steps, 'step')} and ` +
    `${times(caterpillar.without / first.without)} times as long.` : '';
  return `${plural(data.messages, 'message')}, ${plural(data.elements, 'element')} (${inBytes(data.elements)} of ${elementBytes}-byte elements).${compared}`;
}

show(html('header', {}, html('h1', {}, `xschedule: ${data.title}`), html('p', {class: 'answer'}, answer()), html('p', {class: 'under'}, under())),
     player(), costs(), elementsThatStay());
