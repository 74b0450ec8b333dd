import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** What only `control-plane/outbox` may write, and what the other folders use instead. */
const refused: readonly (readonly [text: RegExp, instead: string])[] = [
  [
    /insert\s+into\s+outbox\b|insertInto\('outbox'\)/i,
    'Use `emit`, `mail`, `start` or `signal` in a handler, `emitEvents` or `addMail` in a job, `insertEventsSql`, ' +
      '`insertMailsSql` or `insertWorkflowsSql` as a part of a statement.',
  ],
  [
    /pg_notify\(\s*'outbox'/i,
    '`emitEvents` wakes the dispatcher. After `insertEventsSql`, select `wakeSql` or call `wakeDispatcher`.',
  ],
  [
    /insert\s+into\s+audit_entries\b|insertInto\('audit_entries'\)/i,
    'Use `audit` in a handler, `addAudit` in a job, `insertAuditSql` as a part of a statement.',
  ],
]

const insteadOf = (text: string) => refused.filter(([pattern]) => pattern.test(text)).map(([, instead]) => instead)

test('only control-plane/outbox writes events, workflow starts, mails and audit entries', async () => {
  const found: string[] = []
  for await (const file of glob('{control-plane,workflows,analytics,cli}/**/*.ts')) {
    if (file.startsWith('control-plane/outbox/')) continue
    found.push(...insteadOf(await readFile(file, 'utf8')).map(instead => `${file}: ${instead}`))
  }
  expect(found).toEqual([])
})

test('the writers in control-plane/outbox are what the test searches for', async () => {
  for (const file of ['emit', 'audit'])
    expect(insteadOf(await readFile(`control-plane/outbox/${file}.ts`, 'utf8')), file).not.toEqual([])
  expect(insteadOf('with a as (\n  INSERT INTO\n outbox (tenant_id)')).toHaveLength(1)
  expect(insteadOf(`select 'insert into outbox_copies', pg_notify('mails', '')`)).toEqual([])
})

test('statements have their values in place, and are sent by `queries` or `rows` over whatever connection they get', async () => {
  const former = /\bem\.execute\b|\brun(?:In|On)\b|[=<] \?(?=[\s,)\]`;]|$)|\(\?[,)]|\w\(\?::[a-z]/m
  const found: string[] = []
  for await (const file of glob('{control-plane,workflows,analytics,cli}/**/*.ts'))
    if (!file.includes('/uptime-kuma/') && former.test(await readFile(file, 'utf8'))) found.push(file)
  expect(found, 'Write values into an `sql` template. SQLite alone has `?`.').toEqual([])
  for (const text of ['select 1 from teams where id = ?', 'values (?, ?)', 'unnest(?::uuid[])'])
    expect(text).toMatch(former)
})
