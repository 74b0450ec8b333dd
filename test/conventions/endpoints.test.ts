import { glob, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '#control-plane/endpoints.ts'
import { CursorMeta, OffsetMeta } from '#control-plane/http/reply.ts'
import { routesOf } from '#control-plane/http/route.ts'

test('every endpoint that is declared is listed in its module and mounted', async () => {
  const mounted = new Set(endpoints)
  let declared = 0
  for await (const file of glob('control-plane/*/**/*.ts')) {
    const text = await readFile(file, 'utf8')
    for (const [, name] of text.matchAll(/export const (\w+) = endpoint\(/g)) {
      const module: Record<string, unknown> = await import(/* @vite-ignore */ resolve(file))
      expect(mounted.has(module[name!] as never), `${file}: ${name} is not reachable from endpoints.ts`).toBe(true)
      declared++
    }
  }
  expect(declared).toBeGreaterThan(2)
})

test('no two endpoints share a way in, and a reseller’s path has a reseller’s access', () => {
  const ways = endpoints.flatMap(routesOf)
  const names = ways.map(way => `${way.method} ${way.path.replace(/\{\w+\}/g, '{}')}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const way of ways)
    if (way.path.startsWith('/api/v1/reseller'))
      expect(['reseller', 'managed-team'], `${way.method} ${way.path}`).toContain(way.guard)
})

test('each summary is one short clause, as a list of endpoints shows it', () => {
  for (const { summary, path } of endpoints) expect(summary, path).toMatch(/^[A-Z][^;:]{9,58}[^.;:]$/)
})

test('every list takes its page alike, and whatever can be sorted is sorted alike', () => {
  let lists = 0
  for (const { method, path, query, returns } of endpoints) {
    const meta = returns.schema instanceof z.ZodObject ? returns.schema.shape.meta : undefined
    const isPaged = meta === OffsetMeta || meta === CursorMeta
    if (!isPaged) continue
    lists++
    const name = `${method} ${path}`
    const asked: Record<string, z.ZodType> = query instanceof z.ZodObject ? query.shape : {}
    expect(Object.keys(asked), name).toEqual(
      expect.arrayContaining(['per_page', meta === CursorMeta ? 'cursor' : 'page']),
    )
    expect(asked.per_page!.parse(undefined), name).toBe(15)
    expect('sort' in asked, name).toBe('sort_dir' in asked)
    if (!asked.sort) continue
    expect(asked.sort.safeParse(`-${String(asked.sort.parse(undefined))}`).success, name).toBe(true)
    expect(asked.sort_dir?.safeParse(undefined).success, name).toBe(true)
  }
  expect(lists).toBeGreaterThan(20)
})
