import pg from 'pg'
import { expect, test } from 'vitest'
import { dumpSchema } from '#control-plane/db/dump.ts'
import { openDatabases } from '#test/support/databases.ts'

test('control-plane/db/schema.sql is the schema of a new database (npm run schema writes it)', async () => {
  const { ownerUrl } = await openDatabases('vedette_schema')
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await expect(await dumpSchema(client)).toMatchFileSnapshot(`${process.cwd()}/control-plane/db/schema.sql`)
  } finally {
    await client.end()
  }
})
