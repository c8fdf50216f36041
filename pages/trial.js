// SPDX-License-Identifier: BSD-3-Clause
// The page of xredist-try: one run, or two runs side by side (data.runs).

const runs = data.runs ?? [data];
const compares = runs.length > 1;
runs.forEach((run, k) => { run.letter = 'AB'[k]; });
const ofRun = run => compares ? ` in run ${run.letter}` : '';
const total = run => run.rows[0];
const cases = run => run.rows.slice(1).filter(row => row.calls > 0);
const share = (run, which) => total(run)[which].seconds / run.run_seconds;

const cut = k => k < 0 ? `${-k} cuts` : String(k);
const layout = x => `${cut(x.mb)} × ${cut(x.nb)} on ${x.nprow} × ${x.npcol}`;
const size = row => `${row.m} × ${row.n}`;
const key = row => [row.routine, size(row), layout(row.a), layout(row.b)].join('|');

// The two routines of each run: {run, which, name, color}.
const series = ['own', 'xredist'].flatMap(which => runs.filter(run => total(run)[which]).map(run => ({
  run, which, name: (which === 'own' ? 'own routines' : 'xredist') + ofRun(run),
  color: (which === 'own' ? 'own' : 'new') + (run.letter === 'B' ? '-b' : '')})));

// All cases, each with its row in every run.
const all = new Map();
for (const run of runs)
  for (const row of cases(run)) {
    if (!all.has(key(row))) all.set(key(row), {row, of: new Map()});
    all.get(key(row)).of.set(run, row);
  }
const together = [...all.values()];
const cost = (one, {run, which}) => one.of.get(run)?.[which] ?? null;
together.sort((x, y) => sum(series.map(s => cost(y, s)?.seconds ?? 0)) - sum(series.map(s => cost(x, s)?.seconds ?? 0)));

const layoutSeconds = (run, which) => sum((run.layouts ?? []).map(one => one[`${which}_seconds`]));

function answer(run) {
  const {own, calls} = total(run);
  if (!calls && run.layouts?.length) {
    const write = secondsFor(layoutSeconds(run, 'own'));
    return `Solvers take ${write(layoutSeconds(run, 'own'))} in the layouts of the program, ` +
      `${write(layoutSeconds(run, 'fitted'))} in fitted ones.`;
  }
  if (!calls) return 'No redistribution was tried.';
  if (!own) return `xredist takes ${percent(share(run, 'xredist'))} of the run.`;
  return `Redistribution takes ${percent(share(run, 'own'))} of the run; xredist would take ${percent(share(run, 'xredist'))}.`;
}

function answerOfBoth() {
  const [own, xredist] = ['own', 'xredist'].map(
    which => runs.map(run => total(run)[which] ? percent(share(run, which)) : 'an unknown part').join(' and '));
  return `Redistribution takes ${own} of runs A and B; with xredist, ${xredist}.`;
}

function under(run) {
  const {own, xredist, calls} = total(run);
  if (!calls)
    return 'The program did not call the routines, or it contains ScaLAPACK (a static link), or it runs with xredist already.';
  const write = secondsFor(Math.max(own?.seconds ?? 0, xredist.seconds)), of = `of ${seconds(run.run_seconds)}, in ${plural(calls, 'call')}.`;
  if (!own) return `${write(xredist.seconds)} ${of}`;
  const ratio = own.seconds / xredist.seconds;
  const speed = ratio >= 1 ? `${digits(ratio)} times faster` : `${digits(1 / ratio)} times slower`;
  return `${write(own.seconds)} with the program’s own routines, ${write(xredist.seconds)} with xredist (${speed}), ${of}` +
    (total(run).different ? '' : ' All elements agree.');
}

function warnings(run) {
  const found = [];
  const {different} = total(run);
  if (different)
    found.push(html('p', {class: 'alarm', role: 'alert'}, `${plural(different, 'element')} of B differ${different === 1 ? 's' : ''}` +
      `${ofRun(run)}. That is a defect: please report it at the place you got the source from.`));
  if (!run.complete)
    found.push(html('p', {class: 'note'}, `The program ended without MPI_Finalize${ofRun(run)}: calls and seconds are those of the ` +
      'first process of each call.'));
  return found;
}

function where(run) {
  const w = run.where ?? {}, hosts = w.hosts ?? [];
  const nodes = w.nodes > hosts.length ? `${hosts.join(', ')} and ${w.nodes - hosts.length} more` : hosts.join(', ');
  return facts([
    [compares ? `Run ${run.letter}` : '', compares ? run.file : ''], ['Program', w.program], ['Date', w.date],
    ['Processes', w.processes && `${w.processes} on ${plural(w.nodes, 'node')}: ${nodes}`],
    ['Processor', w.processor && `${w.processor}, ${plural(w.cores, 'core')}`], ['MPI', w.mpi],
    ['Own routines', w.own_library], ['xredist', w.xredist]]);
}

function details(row) {
  return `${layout(row.a)} → ${layout(row.b)}`;
}

function differing(one) {
  const count = sum([...one.of.values()].map(row => row.different));
  return count ? html('span', {class: 'alarm-text'}, `${plural(count, 'element')} differ${count === 1 ? 's' : ''}`) : '';
}

function sharesOfRun() {
  const rows = runs.map(run => ({label: compares ? `Run ${run.letter}` : 'Share of the run',
    detail: `100 % are ${seconds(run.run_seconds)}`,
    values: ['own', 'xredist'].filter(which => total(run)[which]).map(which => share(run, which))}));
  const names = total(runs[0]).own ? [{name: 'own routines', color: 'own'}, {name: 'xredist', color: 'new'}] :
                                     [{name: 'xredist', color: 'new'}];
  return section('Share of the run time', bars(rows, names, () => percent, {full: 1, caption:
    'The run time is from the start of the program to MPI_Finalize. It includes the trial itself: copies, comparisons, and both routines.'}));
}

const shown = 12;
const rest = count => count > shown ? `The ${shown} cases with the most seconds; the table has all ${count}.` : null;

function times() {
  const rows = together.slice(0, shown).map(one => {
    const calls = [...one.of.values()].map(row => row.calls);
    const ratios = runs.filter(run => one.of.get(run)?.own?.seconds > 0).map(
      run => digits(one.of.get(run).xredist.seconds / one.of.get(run).own.seconds));
    const ratio = ratios.length ? `, ratio ${ratios.join(' and ')}` : '';
    return {label: `${one.row.routine} ${size(one.row)}`, remark: differing(one),
            detail: [details(one.row), `${plural(calls[0], 'call')}${new Set(calls).size > 1 ? ` and ${calls[1]}` : ''}${ratio}`],
            values: series.map(s => cost(one, s)?.seconds ?? null)};
  });
  return section('Time by routine and layout', html('p', {class: 'note'},
    'Blocks and grid of A → of B. Seconds of all calls on the slowest process; a ratio below 1 says that xredist is faster.'),
    bars(rows, series, secondsFor, {caption: rest(together.length)}));
}

function memory() {
  const measured = together.filter(one => series.some(s => cost(one, s)?.memory >= 0 && cost(one, s)?.memory !== null));
  if (!measured.length) return null;
  const rows = measured.slice(0, shown).map(one => ({label: `${one.row.routine} ${size(one.row)}`, detail: details(one.row),
    values: series.map(s => cost(one, s)?.memory ?? null)}));
  return section('Memory', html('p', {class: 'note'}, 'Largest rise of a process’s resident memory in the first call of a case. ' +
    'xredist keeps its buffers, so later cases need less.'), bars(rows, series, () => bytes, {caption: rest(measured.length)}));
}

function layouts(run) {
  const left = run.solvers_left_out ?? [];
  if (!run.layouts?.length && !left.length) return null;
  const rows = (run.layouts ?? []).map(one => ({label: `${one.routine} of order ${one.n}`,
    detail: [`${one.layout} → ${one.fitted_layout}`.replaceAll(' x ', ' × '),
             `${plural(one.calls, 'call')}, ratio ${digits(one.fitted_seconds / one.own_seconds)}, moving ${seconds(one.moving_seconds)}`],
    values: [one.own_seconds, one.fitted_seconds]}));
  return section(`Layouts of solvers${ofRun(run)}`, html('p', {class: 'note'},
    'Seconds of the program’s own calls, and of copies in the layout that xredist_fit chooses, with the moves to and fro.'),
    rows.length ? bars(rows, [{name: 'layout of the program', color: 'own'}, {name: 'fitted layout', color: 'new'}], secondsFor) : '',
    leftOut('Solvers that were not tried', left));
}

// Reads the lines of the log about tuned calls: for each call its title, and a line for each way.
function tunedCalls(lines) {
  const calls = [];
  for (const line of lines ?? []) {
    const way = /^ {2}(.*?) +(?:([\d.]+) us|no time), +(\d+) trials(, chosen)?$/.exec(line);
    if (!way) calls.push({title: line, ways: []});
    else calls.at(-1)?.ways.push({name: way[1], seconds: way[2] ? 1e-6 * way[2] : null, trials: Number(way[3]), chosen: Boolean(way[4])});
  }
  return calls;
}

function ways(run) {
  const calls = tunedCalls(run.tuned);
  if (!calls.length) return null;
  return section(`Ways of xredist${ofRun(run)}`, html('p', {class: 'note'},
    'For calls that are repeated with the same arguments, xredist has measured several routes, schedules and packet sizes.'),
    calls.map(({title, ways}) => html('div', {}, html('p', {}, title),
      bars(ways.map(way => ({label: way.name, remark: way.chosen ? '(chosen)' : '', values: [way.seconds],
                             detail: plural(way.trials, 'trial')})),
           [{name: 'time of a call', color: 'new'}], secondsFor))));
}

function slowest(run) {
  if (!run.slowest?.length) return null;
  const columns = [
    {head: 'routine', value: x => x.routine}, {head: 'm × n', value: size},
    {head: 'blocks and grid of A', value: x => layout(x.a)}, {head: 'of B', value: x => layout(x.b)},
    {head: 'call of its case', value: x => x.call, number: true},
    {head: 'begins after', value: x => x.begin, text: x => seconds(x.begin), number: true},
    ...['own', 'xredist'].filter(which => which in run.slowest[0]).map(
      which => ({head: which, value: x => x[which], text: x => seconds(x[which]), number: true}))];
  return section(`Slowest calls${ofRun(run)}`, html('p', {class: 'note'},
    'On the slowest process. The first call of a case includes planning.'), table(columns, run.slowest, {label: 'slowest calls'}));
}

function numbers() {
  const columns = [
    {head: 'routine', value: x => x.row.routine}, {head: 'm × n', value: x => x.row.m * x.row.n, text: x => x.row.m ? size(x.row) : ''},
    {head: 'A', value: x => x.row.m ? layout(x.row.a) : ''}, {head: 'B', value: x => x.row.m ? layout(x.row.b) : ''}];
  const add = (head, value, text, mark) => runs.forEach(run => {
    const found = x => x.of.get(run) ? value(x.of.get(run)) ?? null : null;
    if (value(total(run)) !== undefined)
      columns.push({head: head + (compares ? ` ${run.letter}` : ''), number: true, value: found,
                    text: x => found(x) === null ? '–' : text(found(x)), mark: mark && (x => found(x) > 0)});
  });
  add('calls', row => row.calls, whole);
  add('MB', row => row.bytes / 1e6, x => x.toFixed(1));
  add('own s', row => row.own?.seconds, x => x.toFixed(6));
  add('xredist s', row => row.xredist.seconds, x => x.toFixed(6));
  add('ratio', row => row.own && (row.own.seconds > 0 ? row.xredist.seconds / row.own.seconds : null), x => x.toFixed(3));
  add('own +MB', row => row.own?.memory, x => (x / 1e6).toFixed(1));
  add('xredist +MB', row => row.xredist.memory, x => (x / 1e6).toFixed(1));
  add('different', row => row.own && row.different, whole, true);
  const sums = {row: {routine: 'total'}, of: new Map(runs.map(run => [run, total(run)]))};
  return section('All numbers', table(columns, together, {total: sums, label: 'all numbers'}));
}

function leftOut(title, list) {
  if (!list?.length) return '';
  return html('div', {}, html('p', {}, `${title}:`), table([
    {head: 'calls', value: x => x.calls, number: true}, {head: 'routine', value: x => x.routine},
    {head: 'reason', value: x => x.why, wrap: true}], list, {label: title}));
}

const tried = runs.some(run => total(run).calls > 0);
const name = runs[0].where?.program ?? 'a program';
document.title ||= 'xredist-try';
show(
  html('header', {}, html('h1', {}, compares ? 'xredist-try: two runs side by side' : `xredist-try of ${name}`),
    html('p', {class: 'answer'}, compares ? answerOfBoth() : answer(runs[0])),
    runs.map(run => html('p', {class: 'under'}, (compares ? `Run ${run.letter}: ` : '') + under(run))),
    runs.flatMap(warnings), runs.map(where)),
  tried ? sharesOfRun() : '', tried ? times() : '', tried ? memory() : '',
  runs.map(layouts), runs.map(ways), runs.map(slowest), tried ? numbers() : '',
  runs.map(run => run.left_out?.length ? section(`Calls that were not tried${ofRun(run)}`,
    html('p', {class: 'note'}, 'Only the program’s own routines executed them.'), leftOut('Reasons', run.left_out)) : ''),
  html('p', {class: 'note screen'}, 'The numbers are also in this file as JSON. xredist-try --compare A B shows two such pages side by side.'));
