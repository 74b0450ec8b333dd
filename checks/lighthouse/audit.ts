import { rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { launch, type Transport } from './browser.ts'
import { readReport, theirName } from './findings.ts'
import { memoryOf } from './memory.ts'
import { type AuditOrder, type AuditWord, stop } from './order.ts'

/**
 * One audit, in a process of its own: it leads a group of processes with the browser, so that all of it ends at once,
 * be it out of time, out of memory or without anybody left to hear of it.
 */
interface Browser {
  version(): Promise<string>
  newPage(): Promise<unknown>
}
interface Driver {
  connect(options: { transport: Transport; defaultViewport: null }): Promise<Browser>
}
interface Lighthouse {
  default(
    url: string,
    flags: Record<string, unknown>,
    config: unknown,
    page: unknown,
  ): Promise<{ lhr: unknown } | undefined>
  desktopConfig: unknown
}

/** Pictures of the page, which nobody keeps. */
const pictures = ['full-page-screenshot', 'screenshot-thumbnails', 'final-screenshot']
const maxMemory = 1_500_000_000

/** What happens to the program, and may be told. */
class Fallen extends Error {}

async function audit({
  url,
  chromium,
  arguments: args,
  profile,
  lighthouse,
  puppeteer,
  formFactor,
  categories,
  loadMs,
}: AuditOrder): Promise<AuditWord> {
  const { program, transport } = launch(chromium, args)
  // whoever ordered it is gone
  process.on('disconnect', () => {
    program.kill('SIGKILL')
    setTimeout(() => {
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
      stop(process.pid)
    }, 1_000)
  })
  const ended = new Promise<AuditWord>((resolve, reject) => {
    program.on('error', () => reject(new Fallen('Chromium did not start.')))
    program.on('exit', () =>
      reject(new Fallen('Chromium ended too early; where it cannot set up its sandbox it does not start.')),
    )
    setInterval(() => memoryOf(process.pid) > maxMemory && resolve({ memory: 'too much' }), 1_000)
  })
  const make = async (): Promise<AuditWord> => {
    const [driver, library]: [Driver, Lighthouse] = await Promise.all([
      import(pathToFileURL(puppeteer).href),
      import(pathToFileURL(lighthouse).href),
    ])
    const browser = await driver.connect({ transport, defaultViewport: null })
    const flags = {
      output: 'json',
      logLevel: 'silent',
      locale: 'en-US',
      onlyCategories: categories.map(theirName),
      maxWaitForLoad: loadMs,
      disableFullPageScreenshot: true,
      skipAudits: pictures,
    }
    const made = await library.default(
      url,
      flags,
      formFactor === 'desktop' ? library.desktopConfig : undefined,
      await browser.newPage(),
    )
    return { found: readReport(made?.lhr), browser: (await browser.version()).slice(0, 80) }
  }
  return Promise.race([make(), ended])
}

// windows that a page opens and closes leave promises of the driver behind, which nobody waits for
for (const event of ['unhandledRejection', 'uncaughtException'] as const) process.on(event, () => undefined)
process.once('message', (order: AuditOrder) => {
  audit(order)
    .catch(
      (error: unknown): AuditWord => ({
        failed: error instanceof Fallen ? error.message : 'Lighthouse did not come to an end.',
      }),
    )
    .then(word => process.send?.(word))
})
