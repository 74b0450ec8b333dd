import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrm } from '#control-plane/db/orm.ts'
import { advanceMigration } from '#control-plane/importing/advance.ts'
import { importBatch } from '#control-plane/importing/import-items.ts'
import { selectMigrations } from '#control-plane/importing/row.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { kumaFile } from './kuma-file.ts'
import { sendFile } from './old-provider.ts'

const { services } = app
const { platform } = services
let orm: Awaited<ReturnType<typeof openOrm>>
beforeAll(async () => {
  orm = await openOrm(services.config)
})
afterAll(() => orm?.close())

/** Does what the workflow does. */
const advance = (id: string) => advanceMigration({ services, em: orm.em }, id)

const sample = () =>
  kumaFile(database =>
    database.exec(`
      insert into monitor (id, name, type) values (1, 'Shops', 'group');
      insert into monitor (id, name, type, url, interval, parent, maxretries, basic_auth_user, basic_auth_pass)
        values (2, 'Shop', 'http', 'https://shop.example.com/', 60, 1, 2, 'pat', 'pass-of-the-shop');
      insert into monitor (id, name, type, url, keyword, interval, active)
        values (3, 'Text', 'keyword', 'https://text.example.com/', 'Welcome', 60, 0);
      insert into monitor (id, name, type, hostname, port, interval)
        values (4, 'Mail', 'port', 'mail.example.com', 25, 60);
      insert into monitor (id, name, type, interval) values (5, 'Backup', 'push', 3600);
      insert into monitor (id, name, type, upside_down, url) values (6, 'Wrong', 'http', 1, 'https://example.com/');
      insert into monitor (id, name, type, url, interval) values (7, 'Inside', 'http', 'http://127.0.0.1/', 60);
      insert into monitor (id, name, type, database_connection_string, interval)
        values (8, 'Data', 'postgres', 'postgres://u:secret-of-data@db.example.com:5433/x', 60);
      insert into tag (id, name) values (1, 'prod');
      insert into monitor_tag (monitor_id, tag_id, value) values (2, 1, '');
      insert into notification (id, name, active, config)
        values (1, 'Chat', 1, '{"type":"slack","x":"hook-secret"}');`),
  )

const _bytes = { headers: { 'Content-Type': 'application/octet-stream' } }

async function aMigration(team: CallerUnderTest, file = sample()): Promise<string> {
  const { body, status, text } = await team.post('/migrations', { provider: 'uptime-kuma' })
  expect(status, text).toBe(201)
  await sendFile(team, body.data.id, file)
  await advance(body.data.id)
  return body.data.id
}

const idOf = async (team: CallerUnderTest, name: string): Promise<string> =>
  (await team.get('/monitors?per_page=100')).body.data.find((monitor: { name: string }) => monitor.name === name).id

const get = async (team: CallerUnderTest, id: string) => (await team.get(`/migrations/${id}`)).body.data

describe('a migration from Uptime Kuma', () => {
  test('goes from its preview to the import, the shadow, the cutover and the rollback', async () => {
    const team = await given.tenant()
    const id = await aMigration(team)
    expect(await get(team, id)).toMatchObject({ state: 'previewed', counts: { create: 5, update: 0, skip: 4 } })
    const items = (await team.get(`/migrations/${id}/items?per_page=100`)).body.data
    const byId = new Map(items.map((item: { source_id: string }) => [item.source_id, item]))
    expect(byId.get('2')).toMatchObject({ action: 'create', target: 'https://shop.example.com/' })
    expect(byId.get('6')).toMatchObject({ action: 'skip', reason: expect.stringContaining('upside down') })
    expect(byId.get('7')).toMatchObject({ action: 'skip', reason: expect.stringContaining('url') })
    expect(byId.get('8')).toMatchObject({ action: 'create', target: 'db.example.com' })
    expect(byId.get('channel-1')).toMatchObject({ action: 'skip', source_kind: 'slack' })
    expect((await team.get('/monitors')).body.meta.total).toBe(0)

    expect((await team.post(`/migrations/${id}/import`)).status).toBe(200)
    await advance(id)
    expect(await get(team, id)).toMatchObject({ state: 'imported', counts: { created: 5, failed: 0 } })
    const monitors = (await team.get('/monitors?per_page=100')).body.data
    expect(monitors.map(({ is_enabled }: { is_enabled: boolean }) => is_enabled)).toEqual(Array(5).fill(false))
    expect(monitors.find(({ name }: { name: string }) => name === 'Shop')).toMatchObject({
      group: 'Shops',
      tags: ['prod'],
      confirmations: 3,
    })

    expect((await team.post(`/migrations/${id}/shadow`)).body.data.state).toBe('shadow')
    const running = await platform.query(
      'select name, is_enabled, is_shadow from monitors where tenant_id = $1 order by name',
      [team.tenantId],
    )
    expect(running.rows.filter(row => row.is_enabled).map(row => row.name)).toEqual(['Backup', 'Data', 'Mail', 'Shop'])
    expect(running.rows.every(row => row.is_shadow)).toBe(true)
    await advance(id)
    const readiness = (await team.get(`/migrations/${id}/cutover-readiness`)).body.data
    expect(readiness.is_ready).toBe(false)
    expect((await team.get(`/migrations/${id}/divergences`)).body.data).toEqual([])
    const early = await team.post(`/migrations/${id}/cutover`)
    expect([early.status, Object.keys(early.body.errors)]).toEqual([422, ['force']])

    expect((await team.post(`/migrations/${id}/cutover`, { force: true })).body.data.state).toBe('cutover')
    const after = await platform.query('select bool_or(is_shadow) as any from monitors where tenant_id = $1', [
      team.tenantId,
    ])
    expect(after.rows[0].any).toBe(false)
    expect(await advance(id)).toBe('done')
    expect((await team.post(`/migrations/${id}/rollback`)).body.data.state).toBe('rolled_back')
    const back = await platform.query('select bool_or(is_enabled) as any from monitors where tenant_id = $1', [
      team.tenantId,
    ])
    expect(back.rows[0].any).toBe(false)
    expect((await team.post(`/migrations/${id}/cutover`, { force: true })).body.code).toBe('migration_state')
  })

  test('makes one monitor of a record, however often and wherever its import is ended', async () => {
    const team = await given.tenant({ overrides: { monitors: 1_000 } })
    const file = kumaFile(database => {
      const add = database.prepare(`insert into monitor (id, name, type, url, interval) values (?, ?, 'http', ?, 60)`)
      for (let n = 1; n <= 250; n++) add.run(n, `Site ${n}`, `https://s${n}.example.com/`)
    })
    const id = await aMigration(team, file)
    await team.post(`/migrations/${id}/import`)
    const row = await selectMigrations(platform).where('p.id', '=', id).executeTakeFirstOrThrow()
    // an import that ends after its first batch, and two workers at once
    await importBatch({ services, em: orm.em }, row)
    await Promise.all([advance(id), advance(id)])
    expect(await get(team, id)).toMatchObject({ state: 'imported', counts: { created: 250, failed: 0 } })
    const again = await aMigration(team, file)
    expect(await get(team, again)).toMatchObject({ counts: { create: 0, update: 0, skip: 250 } })
    expect((await team.get('/monitors')).body.meta.total).toBe(250)
  })

  const states = async (team: CallerUnderTest) =>
    (
      await platform.query(
        'select name, is_enabled, is_shadow from monitors where tenant_id = $1 and type <> $2 order by name',
        [team.tenantId, 'cron'],
      )
    ).rows.map(({ name, is_enabled, is_shadow }) => `${name} ${is_enabled ? 'on' : 'off'}${is_shadow ? ' shadow' : ''}`)
  const step = async (team: CallerUnderTest, id: string, name: string, body = {}) => {
    const { status, text } = await team.post(`/migrations/${id}/${name}`, body)
    expect(status, text).toBe(200)
    await advance(id)
  }

  test.each(['rollback', 'cancel'])(
    'takes up again what a %s has disabled, and can be rolled back as well',
    async end => {
      const team = await given.tenant()
      const first = await aMigration(team)
      await step(team, first, 'import')
      await step(team, first, 'shadow')
      if (end === 'rollback') await step(team, first, 'cutover', { force: true })
      await step(team, first, end)
      expect(await states(team)).toEqual(['Data off', 'Mail off', 'Shop off', 'Text off'])
      // one that a person has enabled since runs already, and is not taken up
      await team.patch(`/monitors/${await idOf(team, 'Mail')}`, { is_enabled: true })

      const second = await aMigration(team)
      expect(await get(team, second)).toMatchObject({ counts: { create: 0, update: 4, skip: 5 } })
      const items = (await team.get(`/migrations/${second}/items?per_page=100`)).body.data
      expect(items.find(({ name }: { name: string }) => name === 'Shop')).toMatchObject({
        action: 'update',
        reason: 'It was imported before and disabled again: this migration takes it up.',
        stand_ins: [],
      })
      await step(team, second, 'import')
      expect(await states(team)).toEqual(['Data off shadow', 'Mail on', 'Shop off shadow', 'Text off shadow'])
      await step(team, second, 'shadow')
      expect(await states(team)).toEqual(['Data on shadow', 'Mail on', 'Shop on shadow', 'Text off shadow'])
      await step(team, second, 'cutover', { force: true })
      expect(await states(team)).toEqual(['Data on', 'Mail on', 'Shop on', 'Text off'])
      await step(team, second, 'rollback')
      expect(await states(team)).toEqual(['Data off', 'Mail on', 'Shop off', 'Text off'])
      expect((await team.get('/monitors')).body.meta.total).toBe(5)
    },
  )

  test('takes up a changed record, with what is new of it', async () => {
    const team = await given.tenant()
    const first = await aMigration(team)
    for (const name of ['import', 'shadow', 'cancel']) await step(team, first, name)
    const changed = kumaFile(database =>
      database.exec(`insert into monitor (id, name, type, url, interval)
        values (2, 'Shop two', 'http', 'https://shop.example.com/two', 300),
          (9, 'New', 'http', 'https://new.example.com/', 60)`),
    )
    const second = await aMigration(team, changed)
    expect(await get(team, second)).toMatchObject({ counts: { create: 1, update: 1 } })
    for (const name of ['import', 'shadow']) await step(team, second, name)
    expect(await states(team)).toEqual(['Data off', 'Mail off', 'New on shadow', 'Shop two on shadow', 'Text off'])
    await step(team, second, 'cutover', { force: true })
    expect((await states(team)).filter(each => each.endsWith('on'))).toEqual(['New on', 'Shop two on'])
  })

  test('goes on with a changed record that another one imported and never enabled', async () => {
    const team = await given.tenant()
    await step(team, await aMigration(team), 'import')
    const changed = kumaFile(database =>
      database.exec(`insert into monitor (id, name, type, url, interval)
        values (2, 'Shop', 'http', 'https://shop.example.com/two', 300)`),
    )
    const second = await aMigration(team, changed)
    for (const name of ['import', 'shadow']) await step(team, second, name)
    await step(team, second, 'cutover', { force: true })
    expect((await states(team)).filter(each => each.endsWith('on'))).toEqual(['Shop on'])
    await step(team, second, 'rollback')
    expect((await states(team)).filter(each => each.endsWith('on'))).toEqual([])
  })

  test('leaves alone what has been cut over', async () => {
    const team = await given.tenant()
    const first = await aMigration(team)
    for (const name of ['import', 'shadow']) await step(team, first, name)
    await step(team, first, 'cutover', { force: true })
    await team.patch(`/monitors/${await idOf(team, 'Shop')}`, { is_enabled: false })
    const second = await aMigration(team)
    expect(await get(team, second)).toMatchObject({ counts: { create: 0, update: 0 } })
    for (const name of ['import', 'shadow']) await step(team, second, name)
    await step(team, second, 'cancel')
    expect(await states(team)).toEqual(['Data on', 'Mail on', 'Shop off', 'Text off'])
  })

  test('names what exceeds the plan', async () => {
    const team = await given.tenant({ plan: 'free', overrides: { monitors: 2 } })
    const id = await aMigration(team)
    const { data } = (await team.get(`/migrations/${id}/items?action=skip&kind=monitor`)).body
    expect(data.filter(({ exceeds }: { exceeds: string }) => exceeds).length).toBeGreaterThan(0)
    expect((await get(team, id)).counts.create).toBe(2)
  })

  test('shows and stores no secret of its source in clear', async () => {
    const team = await given.tenant()
    const id = await aMigration(team)
    const shown = (await team.get(`/migrations/${id}/items?per_page=100`)).text + (await team.get('/audit-log')).text
    const { rows } = await platform.query(
      `select (select string_agg(i::text, ' ') from migration_items i where migration_id = $1)
        || (select p::text from provider_migrations p where id = $1) as stored`,
      [id],
    )
    for (const secret of ['pass-of-the-shop', 'secret-of-data', 'hook-secret'])
      expect(shown + rows[0].stored).not.toContain(secret)
    const files = await platform.query('select 1 from migration_files where migration_id = $1', [id])
    expect(files.rowCount).toBe(0)
  })

  test.each([
    ['a damaged database', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4_000, 7)]), 'database'],
    [
      'a view in place of the monitors',
      kumaFile(database =>
        database.exec(`drop table monitor; create view monitor as
          with recursive n(id) as (select 1 union all select id + 1 from n) select id, 'x' as name from n;`),
      ),
      'not plain ones',
    ],
  ])('fails with a reason for %s', async (_, file, why) => {
    const team = await given.tenant()
    const found = await get(team, await aMigration(team, file))
    expect(found).toMatchObject({ state: 'failed', failed_in: 'draft', failure: expect.stringContaining(why) })
  })
})

describe('a migration', () => {
  test('reads CSV from the body, and is cancelled', async () => {
    const team = await given.tenant()
    const content = 'name,url,type,period\nShop,https://shop.example.com/,website,\nJob,,job,3600\nOdd,x,thing,\n'
    const { data } = (await team.post('/migrations', { provider: 'csv', content })).body
    await advance(data.id)
    expect(await get(team, data.id)).toMatchObject({ state: 'previewed', counts: { create: 2, skip: 1 } })
    expect((await team.get('/migrations')).body.data).toHaveLength(1)
    expect((await team.post(`/migrations/${data.id}/cancel`)).body.data.state).toBe('cancelled')
  })

  test('of another team is not found', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const { data } = (await team.post('/migrations', { provider: 'csv', content: 'url\nexample.com' })).body
    for (const path of ['', '/items', '/divergences', '/cutover-readiness'])
      expect((await other.get(`/migrations/${data.id}${path}`)).status).toBe(404)
    expect((await other.post(`/migrations/${data.id}/cancel`)).status).toBe(404)
  })

  test('is refused with the field that is wrong', async () => {
    const team = await given.tenant()
    const refused = async (body: object) => Object.keys((await team.post('/migrations', body)).body.errors)
    expect(await refused({ provider: 'unknown' })).toEqual(['provider'])
    expect(await refused({ provider: 'csv', api_key: 'key' })).toEqual(['api_key'])
    expect(await refused({ provider: 'csv', base_url: 'http://169.254.169.254/' })).toEqual(['base_url'])
  })
})
