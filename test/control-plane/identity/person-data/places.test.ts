import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '#control-plane/db/queries.ts'
import { partsOf } from '#control-plane/identity/person-data/places.ts'
import { places } from '#control-plane/person-data.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { anAddress, aPersonIn, password } from '#test/control-plane/identity/people.ts'
import { anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { addTo, aPage } from '#test/control-plane/publishing/status-pages/pages.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client({ connectionString: app.stores.ownerUrl })
  await owner.connect()
})
afterAll(() => owner?.end())

const placeOf = (table: string) => places.find(place => place.table === table)

/** `table.column` of every table that has a text in a column, whatever the type of the column. */
async function columnsWith(text: string): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  if (tables.length < 20) throw new Error('The catalogue shows too few tables to be believed.')
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await owner.query<{ key: string }>(
      `select distinct c.key from "${name}" t cross join jsonb_each_text(to_jsonb(t)) c
       where strpos(lower(c.value), lower($1)) > 0 order by 1`,
      [text],
    )
    found.push(...rows.map(({ key }) => `${name}.${key}`))
  }
  return found
}

const created = async (answer: ReturnType<CallerUnderTest['post']>) => {
  const { status, body, text } = await answer
  expect(status, text).toBe(201)
  return body.data
}

/** A person whose id, address and name are wherever a person can be, with the owner of the team. */
async function aPersonEverywhere() {
  const mark = randomUUID().slice(0, 13)
  const [name, email] = [`Marker-${mark} Surname-${mark}`, `marker-${mark}@people.test`]
  const boss = await given.tenant()
  const person = await aPersonIn(boss.tenantId, 'admin', { name, email })
  const other = await given.colleague(boss, 'admin')
  const tenant = [boss.tenantId]

  const mail = (recipients: string[]) =>
    created(boss.post('/notification-channels', { name: `Mail of ${name}`, type: 'email', config: { recipients } }))
  const [alone, together] = [await mail([email]), await mail([email.toUpperCase(), `${other.userId}@people.test`])]
  await boss.post('/api-keys', { name: `Laptop of ${name}`, scopes: ['monitors:read'] })
  await boss.post('/invitations', { email: anAddress(), role: 'member' })
  await boss.patch(`/members/${person.userId}`, { role: 'member' })
  await boss.patch(`/members/${person.userId}`, { role: 'admin' })
  await platform.query('insert into portals (tenant_id, support_email) values ($1, $2)', [...tenant, email])
  await platform.query(
    `insert into smtp_configs (tenant_id, host, port, encryption, username, from_address, from_name)
     values ($1, 'mail.example.com', 587, 'tls', $2, $2, $3)`,
    [...tenant, email, name],
  )
  await platform.query('update tenants set name = $2 where id = $1', [...tenant, `Team of ${name}`])

  const monitor = await created(person.post('/monitors', { name: `Site of ${name}`, url: 'https://shop.example.com/' }))
  await boss.patch(`/monitors/${monitor.id}`, { notes: `Ask ${name}, ${email}.` })
  await platform.query(
    'update checks set snoozed_by = $2, snoozed_until = now(), snooze_reason = $3 where monitor_id = $1',
    [monitor.id, person.userId, `${name} works on it`],
  )
  const incident = await anIncident(person, { monitor: { id: monitor.id, check: monitor.checks[0].id } })
  await person.post(`/incidents/${incident}/acknowledge`)
  await person.post(`/incidents/${incident}/updates`, { status: 'identified', body: `${name} has found it.` })
  const target = { type: 'user', id: person.userId }
  await created(
    boss.post('/escalation-policies', { name: `Calls ${name}`, steps: [{ delay_minutes: 1, targets: [target] }] }),
  )
  const rotation = { name, users: [person.userId], handoff: 'daily', first_handoff_at: '2026-01-05T09:00' }
  const schedule = await created(
    boss.post('/on-call-schedules', { name: `On call ${name}`, timezone: 'UTC', rotations: [rotation] }),
  )
  const [starts_at, ends_at] = ['2026-01-06T09:00:00Z', '2026-01-07T09:00:00Z']
  await platform.query(
    `insert into on_call_overrides (id, tenant_id, schedule_id, user_id, replaces_user_id, starts_at, ends_at, reason, created_by)
     values (gen_random_uuid(), $1, $2, $3, $3, $4, $5, $6, $3)`,
    [...tenant, schedule.id, person.userId, starts_at, ends_at, `Holiday of ${name}`],
  )
  const page = await aPage(person, { name: `Page of ${name}` })
  const post = await addTo(person, `${page.id}/posts`, { title: `Slow, says ${name}`, body: `${name} sees it.` })
  await addTo(person, `${page.id}/subscribers`, { address: email, confirmed: true })
  await person.get('/profile/export')
  return { boss, person, other, name, email, alone, together, incident, post, monitor, page }
}

describe('the places of personal data', () => {
  test('name every column that holds the id of a person by a foreign key or by its name', async () => {
    const { rows } = await owner.query<{ table: string; column: string }>(
      `select c.table_name as "table", c.column_name as "column" from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and (
         c.udt_name in ('uuid', '_uuid')
           and c.column_name ~ '(^|_)(user_id|users|person_id|impersonator_id)$|_by$'
         or exists (
           select 1 from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
           where k.contype = 'f' and k.confrelid in ('users'::regclass, 'memberships'::regclass)
             and k.conrelid = to_regclass(format('public.%I', c.table_name)) and a.attname = c.column_name
             and a.attname <> 'tenant_id'))`,
    )
    expect(rows.length).toBeGreaterThan(30)
    const unlisted = rows.filter(({ table, column }) => !(column in (placeOf(table)?.ids ?? {})))
    expect(unlisted.map(({ table, column }) => `${table}.${column}`)).toEqual([])
  })

  test('have columns that exist, and statements of an export that run', async () => {
    for (const { table, ids = {}, texts = [] } of places)
      for (const column of [...Object.keys(ids), ...texts]) {
        const { rowCount } = await owner.query(
          `select 1 from information_schema.columns where table_schema = 'public' and table_name = $1 and column_name = $2`,
          [table, column],
        )
        expect(rowCount, `${table}.${column}`).toBe(1)
      }
    for (const statement of Object.values(partsOf(places))) await rows(platform, statement(randomUUID()))
  })

  test('are all there are of a person who was everywhere; after an erasure only ids are left, where the list says so', async () => {
    const { boss, person, other, name, email, alone, together, ...made } = await aPersonEverywhere()
    const isListed = (found: string, kind: 'ids' | 'texts') => {
      const [table = '', column = ''] = found.split('.')
      const place = placeOf(table)
      return kind === 'ids'
        ? column in (place?.ids ?? {}) || place?.texts?.includes(column)
        : place?.texts?.includes(column)
    }
    const texts = [...(await columnsWith(email)), ...(await columnsWith(name))]
    expect(texts.length).toBeGreaterThan(25)
    expect(texts.filter(found => !isListed(found, 'texts'))).toEqual([])
    const ids = await columnsWith(person.userId ?? '')
    expect(ids.length).toBeGreaterThan(15)
    expect(ids.filter(found => !isListed(found, 'ids'))).toEqual([])

    const exported = (await person.get('/profile/export')).body.data
    const tablesOfExport = places.filter(({ exports }) => typeof exports !== 'string')
    const isFound = (table: string) => ids.some(found => found.startsWith(`${table}.`))
    for (const { table, exports } of tablesOfExport)
      if (isFound(table) && table !== 'deliveries')
        expect(
          Object.keys(exports).some(part => exported[part].length > 0),
          table,
        ).toBe(true)
    expect(exported.status_page_posts).toMatchObject([{ id: made.post.id }])
    expect(exported.status_page_updates).toMatchObject([{ body: `${name} sees it.` }])
    expect(exported.escalation_targets).toMatchObject([{ policy_name: `Calls ${name}` }])
    expect(exported.on_call_rotations).toMatchObject([{ name }])

    expect((await person.delete('/profile', { password })).status).toBe(200)
    await platform.query(
      `delete from outbox where kind = 'mail' and name = 'security_account_deleted'
       and payload -> 'recipient' ->> 'email' = $1`,
      [email],
    )
    await platform.query(`delete from outbox where tenant_id = $1 and kind = 'event'`, [boss.tenantId])
    expect([...(await columnsWith(email)), ...(await columnsWith(name))]).toEqual([])
    const left = await columnsWith(person.userId ?? '')
    const isKept = (found: string) => {
      const [table = '', column = ''] = found.split('.')
      return placeOf(table)?.ids?.[column] === 'kept' || placeOf(table)?.texts?.includes(column)
    }
    expect(left.filter(found => !isKept(found))).toEqual([])
    expect(left).toEqual(expect.arrayContaining(['incidents.acknowledged_by', 'on_call_rotation_versions.users']))

    await seeLostRecipients(boss, other, alone.id, together.id)
    const keys = (await boss.get('/api-keys')).body.data.map((key: { name: string }) => key.name)
    expect(keys).toContain('Laptop of […]')
    expect((await boss.get(`/monitors/${made.monitor.id}`)).body.data).toMatchObject({
      name: 'Site of […]',
      notes: 'Ask […], […].',
    })
  })

  test('leave what only resembles the address or the name of a person', async () => {
    const boss = await given.tenant()
    const address = `${randomUUID()}@people.test`
    const person = await aPersonIn(boss.tenantId, 'member', { name: 'Max', email: address })
    const texts = { name: 'Max', notes: `Max, x${address}, ${address}.org and ${address}.` }
    const { id } = await created(boss.post('/monitors', { ...texts, url: 'https://shop.example.com/' }))
    expect((await person.delete('/profile', { password })).status).toBe(200)
    expect((await boss.get(`/monitors/${id}`)).body.data).toMatchObject({
      name: 'Max',
      notes: `Max, x${address}, ${address}.org and […].`,
    })
  })
})

/** A channel whose last recipient is erased is disabled, and administrators are mailed; another one goes on. */
async function seeLostRecipients(boss: CallerUnderTest, other: CallerUnderTest, alone: string, together: string) {
  const channelOf = async (id: string) => (await boss.get(`/notification-channels/${id}`)).body.data
  expect(await channelOf(alone)).toMatchObject({ is_enabled: false, config: { recipients: [] } })
  expect(await channelOf(together)).toMatchObject({
    is_enabled: true,
    config: { recipients: [`${other.userId}@people.test`] },
  })
  const enable = (body: object) => boss.patch(`/notification-channels/${alone}`, { is_enabled: true, ...body })
  expect(Object.keys((await enable({})).body.errors)).toEqual(['config.recipients'])
  expect((await enable({ config: { recipients: [`${boss.userId}@people.test`] } })).status).toBe(200)
  const mails = (await mailsOf(boss)).filter(({ type }) => type === 'channel_recipients_lost')
  expect(mails.map(({ recipient }) => recipient.user_id).sort()).toEqual([boss.userId, other.userId].sort())
  expect(mails[0]?.data.channel_name).toBe('Mail of […]')
}
