import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const modules = '{bounded,checks,analytics,control-plane,importers,probe-agent}'

const found = async (pattern: string) => {
  const files: string[] = []
  for await (const file of glob(pattern, { cwd: root })) files.push(file)
  return files
}

/**
 * What a source imports besides types: our own files by their paths from the root, packages by their names. `isIP` of
 * `node:net` reads a text and opens nothing.
 */
async function importsOf(file: string): Promise<string[]> {
  const text = await readFile(join(root, file), 'utf8')
  return [
    ...text.matchAll(/^(?:import|export)\s(?!type\b|\{ isIP \} from)[^'"]*?\sfrom '([^']+)'|^import '([^']+)'/gm),
  ].map(([, from, alone]) => {
    const name = from ?? alone ?? ''
    if (name.startsWith('#')) return name.slice(1)
    return name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name
  })
}

async function reachedFrom(file: string): Promise<Set<string>> {
  const reached = new Set([file])
  for (const each of reached)
    if (each.endsWith('.ts')) for (const imported of await importsOf(each)) reached.add(imported)
  return reached
}

/** No store, no network and nothing of requests: a process of a program has neither keys nor a way out. */
const refused = [
  // what names the wrong fields of a value is no request, and the shapes of columns are no store
  /^control-plane\/(?:db|http|outbox)\/(?!(?:unknown-fields|field-errors|language\/sentences|model\/shapes)\.ts$)/,
  /^control-plane\/config\.ts$/,
  /^(?:egress|analytics)\//,
  /^(?:pg|undici|koa|@mikro-orm\/.*|@clickhouse\/.*|nodemailer|prom-client)$/,
  /^node:(?:net|http|https|tls|dns|dgram|child_process|worker_threads|cluster)$/,
]

test('a program of the bounded runner imports no store, no network and nothing of requests', async () => {
  const programs = await found(`${modules}/**/*-program.ts`)
  expect(programs.length).toBeGreaterThan(2)
  for (const program of programs)
    expect(
      [...(await reachedFrom(program))].filter(each => refused.some(pattern => pattern.test(each))),
      program,
    ).toEqual([])
})

test('every program that is declared exists, and every file of a program is declared', async () => {
  const declared = new Set<string>()
  for (const file of await found(`${modules}/**/*.ts`)) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/join\(import\.meta\.dirname, '([\w-]+-program\.ts)'\)/g)) {
      const path = join(dirname(file), name)
      expect(existsSync(join(root, path)), `${file} declares ${name}`).toBe(true)
      declared.add(path)
    }
  }
  expect((await found(`${modules}/**/*-program.ts`)).filter(file => !declared.has(file))).toEqual([])
})
