import { rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type AuditReply, type AuditRequest, killGroup } from './audit-messages.ts'
import { launch, type Transport } from './browser.ts'
import { lighthouseName, readReport } from './findings.ts'
import { memoryOf } from './memory.ts'

/**
 * One audit, in a process of its own that leads a process group with the browser, so that all of it can be killed at
 * once: on timeout, out of memory, or when its parent is gone.
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

/** Screenshots of the page, which are not used. */
const pictures = ['full-page-screenshot', 'screenshot-thumbnails', 'final-screenshot']
const maxMemory = 1_500_000_000

/** A failure of the program with a message that may be reported. */
class AuditFailure extends Error {}

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
}: AuditRequest): Promise<AuditReply> {
  const { program, transport } = launch(chromium, args)
  // the parent process is gone
  process.on('disconnect', () => {
    program.kill('SIGKILL')
    setTimeout(() => {
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
      killGroup(process.pid)
    }, 1_000)
  })
  const ended = new Promise<AuditReply>((resolve, reject) => {
    program.on('error', () => reject(new AuditFailure('Chromium did not start.')))
    program.on('exit', () =>
      reject(new AuditFailure('Chromium ended too early; where it cannot set up its sandbox it does not start.')),
    )
    setInterval(() => memoryOf(process.pid) > maxMemory && resolve({ memory: 'too much' }), 1_000)
  })
  const make = async (): Promise<AuditReply> => {
    const [driver, library]: [Driver, Lighthouse] = await Promise.all([
      import(pathToFileURL(puppeteer).href),
      import(pathToFileURL(lighthouse).href),
    ])
    const browser = await driver.connect({ transport, defaultViewport: null })
    const flags = {
      output: 'json',
      logLevel: 'silent',
      locale: 'en-US',
      onlyCategories: categories.map(lighthouseName),
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

// windows that a page opens and closes leave rejected promises in the driver
for (const event of ['unhandledRejection', 'uncaughtException'] as const) process.on(event, () => undefined)
process.once('message', (request: AuditRequest) => {
  audit(request)
    .catch(
      (error: unknown): AuditReply => ({
        failed: error instanceof AuditFailure ? error.message : 'Lighthouse did not come to an end.',
      }),
    )
    .then(reply => process.send?.(reply))
})
