import { expect, test } from 'vitest'
import { compareDns, compareSsl, type Row } from './names-parity.ts'

const apart = (rows: readonly Row[]) => rows.filter(({ agrees }) => !agrees)

test('finds at certificates what openssl finds', async ({ skip }) => {
  const rows = await compareSsl()
  if (!rows) return skip('openssl is not installed')
  expect(apart(rows)).toEqual([])
  expect(rows).toHaveLength(11 * 8)
})

test('finds in zones what dig finds', async () => {
  const { rows } = await compareDns()
  expect(apart(rows)).toEqual([])
  expect(rows).toHaveLength(11)
})
