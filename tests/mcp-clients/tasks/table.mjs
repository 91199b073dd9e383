// The table of tasks.

const HEAD = ['task', '', 'calls', 'in', 'out', 'right', 'before: calls', 'in', 'out', 'right'];

export function printTable(rows) {
  const lines = rows.map(({ number, name, counts, old, error }) => [
    number,
    name,
    ...counts.map(text),
    error ? 'NO' : 'yes',
    ...(old ? [...old.slice(0, 3).map(text), old[3]] : ['', '', '', '']),
  ]);
  const widths = HEAD.map((_, at) => Math.max(...[HEAD, ...lines].map((line) => line[at].length)));
  const isText = (at) => at < 2 || at === 5 || at === 9;
  for (const line of [HEAD, ...lines]) {
    const cells = line.map((cell, at) => (isText(at) ? cell.padEnd(widths[at]) : cell.padStart(widths[at])));
    console.log(cells.join('  ').trimEnd());
  }
}

/** A number with separators; a dash for one that was not counted. */
function text(number) {
  return number === 0 ? '–' : number.toLocaleString('en-US');
}
