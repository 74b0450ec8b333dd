/** A line about a part: title, origin, address. */
export interface PartLine {
  part: string
  title: string
  how?: string
  address?: string
  seconds?: number
  note?: string
  pid?: number | undefined
}

/** Output of the start: lines for people, or one JSON event a line for programs. */
export interface Show {
  head(text: string): void
  starting(line: PartLine): void
  ready(line: PartLine): void
  failed(line: PartLine & { why: string; fixes?: string[] }): void
  crashed(line: PartLine & { why: string; retryMs: number; log: string }): void
  /** A part that was started and does not answer yet. `why`: the last line of its log, if it has one. */
  waiting(line: PartLine & { seconds: number; why: string; log: string }): void
  note(text: string): void
  block(lines: string[], fields: Record<string, unknown>): void
  event(name: string, fields: Record<string, unknown>): void
  end(): void
}

export function showFor({ isJson, isTty }: { isJson: boolean; isTty: boolean }): Show {
  return isJson ? jsonShow() : textShow(isTty)
}

const print = (line: string) => process.stdout.write(`${line}\n`)

function jsonShow(): Show {
  const emit = (event: string, fields: object) =>
    print(JSON.stringify({ event, at: new Date().toISOString(), ...fields }))
  return {
    head: text => emit('head', { text }),
    starting: line => emit('part', { state: 'starting', ...line }),
    ready: line => emit('part', { state: 'ready', ...line }),
    failed: line => emit('part', { state: 'failed', ...line }),
    crashed: line => emit('part', { state: 'crashed', ...line }),
    waiting: line => emit('part', { state: 'waiting', ...line }),
    note: text => emit('note', { text }),
    block: (_lines, fields) => emit('ready', fields),
    event: emit,
    end: () => {},
  }
}

function textShow(isTty: boolean): Show {
  const paint = (code: number, text: string) => (isTty ? `\x1b[${code}m${text}\x1b[0m` : text)
  const underWay = new Map<string, { title: string; note: string; since: number }>()
  let ticker: NodeJS.Timeout | undefined

  const wipe = () => isTty && process.stdout.write('\r\x1b[K')
  const draw = () => {
    if (!isTty) return
    wipe()
    const names = [...underWay.values()].map(
      ({ title, note, since }) => `${title}${note && ` (${note})`} ${Math.round((performance.now() - since) / 1000)} s`,
    )
    if (names.length > 0)
      process.stdout.write(paint(2, `  ..  ${names.join(', ')}`.slice(0, (process.stdout.columns || 100) - 1)))
  }
  const line = (text: string) => {
    wipe()
    print(text)
    draw()
  }
  const settle = (part: string) => {
    underWay.delete(part)
    if (underWay.size > 0) return
    clearInterval(ticker)
    ticker = undefined
  }
  const row = ({ title, how, address, seconds, note }: PartLine) =>
    [
      title.padEnd(20),
      (how ?? '').padEnd(9),
      [address, note].filter(Boolean).join('  ').padEnd(38),
      seconds === undefined ? '' : `${seconds.toFixed(1)} s`,
    ]
      .join(' ')
      .trimEnd()

  return {
    head: text => line(`  ${text}\n`),
    starting: ({ part, title, note }) => {
      if (!isTty && note) print(`  ..  ${title.padEnd(20)} ${note}`)
      underWay.set(part, { title, note: note ?? '', since: underWay.get(part)?.since ?? performance.now() })
      ticker ??= isTty ? setInterval(draw, 250) : undefined
      draw()
    },
    ready: part => {
      settle(part.part)
      line(`  ${paint(32, 'ok')}  ${row(part)}`)
    },
    failed: part => {
      settle(part.part)
      const fixes = (part.fixes ?? []).map(fix => `\n      type  ${fix}`)
      line(`  ${paint(31, '--')}  ${row(part)}\n      why   ${part.why}${fixes.join('')}`)
    },
    crashed: part => {
      const seconds = (part.retryMs / 1000).toFixed(1)
      line(`  ${paint(31, '!!')}  ${part.title.padEnd(20)} ${part.why}; again in ${seconds} s   log: ${part.log}`)
    },
    waiting: ({ title, seconds, why, log }) => {
      const said = why && ` (${why})`
      line(`  ..  ${title.padEnd(20)} does not answer yet, after ${Math.round(seconds)} s${said}   log: ${log}`)
    },
    note: text => line(`  note  ${text}`),
    block: lines => line(`\n${lines.map(text => (text ? `  ${text}` : '')).join('\n')}\n`),
    event: () => {},
    end: () => {
      clearInterval(ticker)
      underWay.clear()
      wipe()
    },
  }
}
