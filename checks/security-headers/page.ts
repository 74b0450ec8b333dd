import { getDomain } from 'tldts'
import { Markup } from '#checks/http/markup.ts'
import type { ScoredResult } from './table.ts'

const maxScripts = 500
const maxMetas = 50

export interface Script {
  src: string
  hasIntegrity: boolean
}

/** What of a page bears on its safety: the scripts it loads, and headers it states itself. */
export interface PageFacts {
  scripts: Script[]
  /** Script tags of any kind. */
  scriptCount: number
  /** By name in lower case. */
  metas: Map<string, string[]>
}

export function readPage(html: string): PageFacts {
  const facts: PageFacts = { scripts: [], scriptCount: 0, metas: new Map() }
  const markup = new Markup(
    {
      open(name, { src, integrity, content, 'http-equiv': equivalent }) {
        if (name === 'script') {
          facts.scriptCount++
          if (src && facts.scripts.length < maxScripts) facts.scripts.push({ src: src.trim().slice(0, 2_048), hasIntegrity: Boolean(integrity) })
        }
        if (name === 'meta' && equivalent && content && facts.metas.size < maxMetas) {
          const header = equivalent.trim().toLowerCase()
          facts.metas.set(header, [...(facts.metas.get(header) ?? []), content.slice(0, 8_192)].slice(0, 10))
        }
      },
    },
    { isXml: false },
  )
  markup.write(html)
  markup.end()
  return facts
}

export function scoreScripts({ scripts, scriptCount }: PageFacts, page: URL): ScoredResult {
  if (scriptCount === 0) return 'sri-not-implemented-but-no-scripts-loaded'
  const own = getDomain(page.hostname) ?? page.hostname
  const placed = scripts.map(script => ({ ...script, ...placeOf(script.src, own, page) }))
  const others = placed.filter(({ isOwn }) => !isOwn)
  if (others.some(script => !script.hasIntegrity && !script.isSecure)) return 'sri-not-implemented-and-external-scripts-not-loaded-securely'
  if (others.some(script => !script.hasIntegrity)) return 'sri-not-implemented-but-external-scripts-loaded-securely'
  if (others.some(script => !script.isSecure)) return 'sri-implemented-but-external-scripts-not-loaded-securely'
  if (placed.some(script => script.isOwn && script.isSecure && script.hasIntegrity)) return 'sri-implemented-and-all-scripts-loaded-securely'
  return others.length > 0 ? 'sri-implemented-and-external-scripts-loaded-securely' : 'sri-not-implemented-but-all-scripts-loaded-from-secure-origin'
}

/** `//host/…` takes its scheme from wherever the page is read, so it counts as another's and as unsafe. */
function placeOf(src: string, own: string, page: URL): { isOwn: boolean; isSecure: boolean } {
  if (/^\/\/[^/]/.test(src)) return { isOwn: false, isSecure: false }
  const url = /^https?:\/\//i.test(src) ? URL.parse(src) : null
  if (!url) return { isOwn: true, isSecure: page.protocol === 'https:' }
  return { isOwn: (getDomain(url.hostname) ?? url.hostname) === own, isSecure: url.protocol === 'https:' }
}
