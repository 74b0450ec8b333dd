import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isExecutable } from '#checks/executable.ts'
import { RunFailure } from '#contract/check.ts'

/** Paths set by the operator; the usual places by default. */
export interface BrowserPlaces {
  chromium?: string | undefined
  /** A folder whose `node_modules` contains the package `lighthouse`. */
  lighthouse?: string | undefined
  /** Whether Chromium sandboxes its pages; off in a container that does so itself. */
  sandbox?: boolean | undefined
}

export interface BrowserParts {
  chromium: string
  /** The modules to import. */
  lighthouse: string
  puppeteer: string
  sandbox: boolean
}

/** Fixed paths, so that no search path decides which program runs. */
const programs = [
  ...['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap(folder =>
    ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(name => join(folder, name)),
  ),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Chromium, where packages install it. */
export const defaultChromium = (places: readonly string[] = programs): string | undefined => places.find(isExecutable)

const off = 'This region cannot audit pages:'
const asRoot =
  `${off} Chromium does not run as root with its sandbox on. Run the agent as another user or, in a ` +
  'container only, with CHROMIUM_SANDBOX=off.'

/** Chromium and Lighthouse; an `unsupported` failure that says how to install what is missing. */
export function findParts(
  { chromium, lighthouse, sandbox = true }: BrowserPlaces,
  places: readonly string[] = programs,
): BrowserParts {
  const program = defaultChromium(chromium === undefined ? places : [chromium])
  if (!program)
    throw missing(
      'Chromium was not found. On Debian: apt-get install chromium; or vedette lighthouse install --with-browser; ' +
        'or name it in CHROMIUM_PATH.',
    )
  const modules = resolve(lighthouse)
  if (!modules)
    throw missing(
      'the package lighthouse is not installed. Type: vedette lighthouse install; or name its folder in ' +
        'LIGHTHOUSE_PATH.',
    )
  if (sandbox && process.getuid?.() === 0) throw new RunFailure('unsupported', 'request', asRoot)
  return { chromium: program, ...modules, sandbox }
}

const missing = (what: string) => new RunFailure('unsupported', 'request', `${off} ${what}`)

/** An optional peer dependency: 180 MB that only agents with a browser need. It includes a matching driver. */
function resolve(folder: string | undefined): Pick<BrowserParts, 'lighthouse' | 'puppeteer'> | undefined {
  try {
    const lighthouse = createRequire(folder === undefined ? import.meta.url : join(folder, 'package.json')).resolve(
      'lighthouse',
    )
    return { lighthouse, puppeteer: createRequire(lighthouse).resolve('puppeteer-core') }
  } catch {
    return
  }
}
