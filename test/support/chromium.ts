import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import { usualChromium } from '#checks/lighthouse/parts.ts'
import { cacheFolders } from '#cli/local/cache.ts'

/** A browser for tests of pages: the installed one, else that of a development dependency, unpacked into the cache. */
export async function openBrowser(): Promise<Browser> {
  const installed = usualChromium()
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args: ['--no-sandbox'] })
  return chromium.launch({ executablePath: await unpacked(), args: ['--no-sandbox'] })
}

async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync('node_modules/@sparticuz/chromium/package.json', 'utf8'))
  const folder = join(cacheFolders()[0] ?? '', `chromium-${version}`)
  mkdirSync(folder, { recursive: true })
  const { TMPDIR, AWS_LAMBDA_JS_RUNTIME } = process.env
  // it unpacks itself there, and brings its own libraries only where it takes itself to be on Lambda
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' })
  try {
    return await sparticuz.executablePath()
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    if (AWS_LAMBDA_JS_RUNTIME === undefined) delete process.env.AWS_LAMBDA_JS_RUNTIME
  }
}
