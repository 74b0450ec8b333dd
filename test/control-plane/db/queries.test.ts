import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { queries } from '#control-plane/db/queries.ts'
import { app, given } from '#test/support/app.ts'

const moment = '2026-01-31 09:30:00.123456+00'

test('a pool and a client give the same rows: moments as text with microseconds, in the transaction of the client', async () => {
  const { platform } = app.services
  const { tenantId } = await given.tenant()
  const read = (db: Parameters<typeof queries>[0]) =>
    queries(db)
      .selectFrom('tenants')
      .select(['id', 'paused_at', 'feature_overrides'])
      .where('id', '=', tenantId)
      .executeTakeFirstOrThrow()
  const client = await platform.connect()
  try {
    await client.query('begin')
    const { numUpdatedRows } = await queries(client)
      .updateTable('tenants')
      .set({ paused_at: moment })
      .where('id', '=', tenantId)
      .executeTakeFirst()
    expect(numUpdatedRows).toBe(1n)
    expect(await read(client)).toEqual({ id: tenantId, paused_at: moment, feature_overrides: {} })
    expect(await read(platform)).toMatchObject({ paused_at: null })
    await client.query('commit')
    expect(await read(platform)).toMatchObject({ paused_at: moment })
  } finally {
    client.release()
  }
})

test('lists of moments are lists of text', async () => {
  const email = `${randomUUID()}@example.com`
  const { tenantId } = await given.tenant()
  const db = queries(app.services.platform)
  await db
    .insertInto('mail_recipients')
    .values({ tenant_id: tenantId, email, requested_at: [moment] })
    .execute()
  expect(await db.selectFrom('mail_recipients').select('requested_at').where('email', '=', email).execute()).toEqual([
    { requested_at: [moment] },
  ])
})

test('a transaction is not begun by a builder', async () => {
  await expect(
    queries(app.services.platform)
      .transaction()
      .execute(async () => {}),
  ).rejects.toThrow('the transaction of the client')
})
