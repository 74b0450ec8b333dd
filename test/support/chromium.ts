import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sparticuz, { setupLambdaEnvironment } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import { defaultChromium } from '#checks/lighthouse/parts.ts'

let opened: Promise<Browser> | undefined

/**
 * A browser for tests of pages: the installed one, else that of a development dependency, unpacked in this checkout.
 * Files of one worker share it: to close it closes what they have opened in it.
 */
export async function openBrowser(): Promise<Browser> {
  opened ??= launch()
  const browser = await opened
  if (browser.isConnected()) return browser
  opened = launch()
  return opened
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: defaultChromium() ?? (await unpacked()),
    args: ['--no-sandbox'],
  })
  browser.close = async () => {
    await Promise.all(browser.contexts().map(context => context.close()))
  }
  return browser
}

/** One process unpacks for all: a program that another one still writes cannot be started (`ETXTBSY`). */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync('node_modules/@sparticuz/chromium/package.json', 'utf8'))
  const folder = join(import.meta.dirname, '..', '..', '.cache', `chromium-${version}`)
  // it finds its libraries and fonts by these, which the package sets only where it takes itself to be on Lambda
  setupLambdaEnvironment(join(folder, 'al2023', 'lib'))
  if (!existsSync(join(folder, complete))) await unpackInto(folder)
  return join(folder, 'chromium')
}

/** Written last: a folder without it is what a process left behind that was ended. */
const complete = 'complete'

/** Unpacks beside the folder and puts the whole there, unless another process was first. */
async function unpackInto(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  const { TMPDIR, AWS_LAMBDA_JS_RUNTIME } = process.env
  // it unpacks itself there, and brings its own libraries only where it takes itself to be on Lambda
  Object.assign(process.env, { TMPDIR: draft, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' })
  try {
    await sparticuz.executablePath()
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    if (AWS_LAMBDA_JS_RUNTIME === undefined) delete process.env.AWS_LAMBDA_JS_RUNTIME
  }
  writeFileSync(join(draft, complete), '')
  if (existsSync(folder) && !existsSync(join(folder, complete))) rmSync(folder, { recursive: true, force: true })
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(join(folder, complete))) throw error
  }
}
