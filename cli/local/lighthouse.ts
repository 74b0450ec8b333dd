import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defaultChromium } from '#checks/lighthouse/parts.ts'
import { messageOf, StartFault } from '#cli/fault.ts'
import { cacheFolders } from './cache.ts'

const run = promisify(execFile)

/** Pinned, so that audits at different times differ only by the page. */
const versions = { lighthouse: '13.5.0', chromium: '147.0.0' }
const folders = { lighthouse: `lighthouse-${versions.lighthouse}`, chromium: `chromium-${versions.chromium}` }

export interface AuditPlaces {
  LIGHTHOUSE_PATH?: string
  CHROMIUM_PATH?: string
}

/** Paths of the programs that `lighthouse install` installed, unless the environment names others. */
export function auditPlaces(env: NodeJS.ProcessEnv = process.env): AuditPlaces {
  const find = (folder: string, file: string) =>
    cacheFolders(env)
      .map(cache => join(cache, folder))
      .find(place => existsSync(join(place, file)))
  const lighthouse = env.LIGHTHOUSE_PATH || find(folders.lighthouse, 'node_modules/lighthouse/package.json')
  const own = find(folders.chromium, 'start')
  const chromium = env.CHROMIUM_PATH || (defaultChromium() === undefined && own ? join(own, 'start') : undefined)
  return { ...(lighthouse && { LIGHTHOUSE_PATH: lighthouse }), ...(chromium && { CHROMIUM_PATH: chromium }) }
}

/** Installs Lighthouse, and on request a browser, each into its own folder of the cache. Existing ones stay. */
export async function installLighthouse(
  { withBrowser }: { withBrowser: boolean },
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const cache = cacheFolders(env)[0] ?? tmpdir()
  await bring(join(cache, folders.lighthouse), `lighthouse ${versions.lighthouse}`, draft =>
    addPackage(draft, `lighthouse@${versions.lighthouse}`),
  )
  if (withBrowser)
    await bring(join(cache, folders.chromium), `Chromium ${versions.chromium}`, draft =>
      unpackBrowser(draft, join(cache, folders.chromium)),
    )
  const { LIGHTHOUSE_PATH, CHROMIUM_PATH = defaultChromium() } = auditPlaces(env)
  console.log(`  ok  Lighthouse           ${LIGHTHOUSE_PATH}`)
  console.log(
    CHROMIUM_PATH
      ? `  ok  Chromium             ${CHROMIUM_PATH}`
      : '  --  Chromium             not found: apt-get install chromium, or vedette lighthouse install --with-browser',
  )
  console.log('  Agents find it at their next start. As root, in a container: CHROMIUM_SANDBOX=off')
}

/** Installs into a draft folder, then renames it, so that the final name is always complete. */
async function bring(target: string, what: string, make: (draft: string) => Promise<void>): Promise<void> {
  if (existsSync(target)) return
  console.log(`  ..  ${what}`)
  const draft = await mkdtemp(`${target}.draft-`)
  try {
    await make(draft)
    await rename(draft, target)
  } catch (error) {
    if (existsSync(target)) return // another process was quicker
    throw new StartFault(
      'dependency',
      `${what} could not be installed`,
      messageOf(error).split('\n').filter(Boolean).slice(0, 3).join(' '),
      'npm ping',
      'df -h',
    )
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Installs a package into its own folder, because npm would remove an optional peer from the project. */
async function addPackage(folder: string, name: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const words = [
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--no-package-lock',
    '--loglevel=error',
    name,
  ]
  await run('npm', words, { cwd: folder, timeout: 300_000, shell: process.platform === 'win32' })
}

/** Unpacks the browser of the npm package (Linux on x64) with its fonts, and writes a start script. */
async function unpackBrowser(folder: string, target: string): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `There is no package for ${process.platform} ${process.arch}. Install Chromium and name it in CHROMIUM_PATH.`,
    )
  await addPackage(folder, `@sparticuz/chromium@${versions.chromium}`)
  const root = join(folder, 'root')
  await mkdir(root)
  const unpack = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`
  await run(process.execPath, ['--input-type=module', '-e', unpack], {
    cwd: folder,
    env: { ...process.env, TMPDIR: root },
    timeout: 120_000,
  })
  await rm(join(folder, 'node_modules'), { recursive: true, force: true })
  const folders = `<dir>/usr/share/fonts</dir><dir>${target}/root/fonts/fonts</dir><cachedir>${target}/fonts</cachedir>`
  const fonts = `<fontconfig>${folders}</fontconfig>\n`
  await writeFile(join(folder, 'fonts.conf'), fonts)
  await writeFile(
    join(folder, 'start'),
    '#!/bin/sh\nhere=$(dirname "$0")\nexport FONTCONFIG_FILE="$here/fonts.conf"\nexec "$here/root/chromium" "$@"\n',
  )
  for (const program of ['start', 'root/chromium']) await chmod(join(folder, program), 0o755)
  await chmod(folder, 0o755)
  await run(join(folder, 'start'), ['--version'], { timeout: 30_000 })
}
