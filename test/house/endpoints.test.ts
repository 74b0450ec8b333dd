import { glob, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { doorsOf } from '#control-plane/kernel/mount.ts'
import { endpoints } from '#control-plane/rooms.ts'

test('every endpoint that is declared is listed in its room and mounted', async () => {
  const mounted = new Set(endpoints)
  let declared = 0
  for await (const file of glob('control-plane/*/**/*.ts')) {
    const text = await readFile(file, 'utf8')
    for (const [, name] of text.matchAll(/export const (\w+) = endpoint\(/g)) {
      const room: Record<string, unknown> = await import(/* @vite-ignore */ resolve(file))
      expect(mounted.has(room[name!] as never), `${file}: ${name} is not reachable from rooms.ts`).toBe(true)
      declared++
    }
  }
  expect(declared).toBeGreaterThan(2)
})

test('no two endpoints share a way in, and a reseller’s path has a reseller’s access', () => {
  const ways = endpoints.flatMap(doorsOf)
  const names = ways.map(way => `${way.method} ${way.path.replace(/\{\w+\}/g, '{}')}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const way of ways) if (way.path.startsWith('/api/v1/reseller')) expect(['reseller', 'managed-team'], `${way.method} ${way.path}`).toContain(way.door)
})

test('each summary is a sentence for people', () => {
  for (const endpoint of endpoints) expect(endpoint.summary, endpoint.path).toMatch(/^[A-Z].{9,}[^.]$/)
})
