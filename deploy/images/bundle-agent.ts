import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { build, revision, version } from '#contract/version.ts'

/**
 * Bundles the agent of a region into one file that needs Node 24 and no package, and the program of page audits, which
 * the agent starts as a process of its own, into a second.
 *
 *   node deploy/images/bundle-agent.ts FOLDER
 */

const root = join(import.meta.dirname, '..', '..')
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('node deploy/images/bundle-agent.ts FOLDER')

const ofVersion = Object.entries({ version, revision, build })
  .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
  .join('\n')
const textFile = /readFileSync\(new URL\('(\.\/[\w.-]+)', import\.meta\.url\), 'utf8'\)/g

/** Puts what the sources read beside themselves into the bundle. */
const withFiles: Plugin = {
  name: 'with-files',
  transform(code, id) {
    if (id.includes('/node_modules/')) return null
    if (id === join(root, 'contract', 'version.ts')) return ofVersion
    return code
      .replace(textFile, (_, file: string) => JSON.stringify(readFileSync(join(dirname(id), file), 'utf8')))
      .replace("join(import.meta.dirname, 'audit.ts')", "join(import.meta.dirname, 'audit.mjs')")
  },
}

async function bundle(input: string): Promise<string> {
  const made = await rolldown({
    input: join(root, input),
    cwd: root,
    platform: 'node',
    logLevel: 'warn',
    plugins: [withFiles],
    transform: { target: 'node24' },
  })
  try {
    const { output } = await made.generate({
      format: 'esm',
      codeSplitting: false,
      minify: true,
      // what packages of the older module system ask for
      banner:
        "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    })
    return output[0].code
  } finally {
    await made.close()
  }
}

mkdirSync(folder, { recursive: true })
for (const [input, name] of [
  ['probe-agent/program.ts', 'agent.mjs'],
  ['checks/lighthouse/audit.ts', 'audit.mjs'],
] as const) {
  const code = await bundle(input)
  if (/['"]\.\/[\w-]+\.(txt|ts)['"]/.test(code)) throw new Error(`${name} reads a file that is not in the bundle.`)
  writeFileSync(join(folder, name), code)
  console.log(`${name} ${code.length} characters`)
}
