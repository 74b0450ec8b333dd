import { getDomain } from 'tldts'
import { Markup } from '#checks/http/markup.ts'
import type { ScoredResult } from './table.ts'

const maxScripts = 500
const maxPolicies = 10

export interface Script {
  src: string
  hasIntegrity: boolean
}

/** The parts of a page that matter for its safety: the scripts it loads, and headers it states itself. */
export interface PageFindings {
  scripts: Script[]
  /** Script tags of any kind. */
  scriptCount: number
  /** Policies and referrer policy that the page states in meta tags. */
  policies: string[]
  referrer: string | undefined
}

export function readPage(html: string): PageFindings {
  const findings: PageFindings = { scripts: [], scriptCount: 0, policies: [], referrer: undefined }
  const markup = new Markup(
    {
      open(tag, { src, integrity, content, name, 'http-equiv': equivalent }) {
        if (tag === 'script') {
          findings.scriptCount++
          if (src && findings.scripts.length < maxScripts)
            findings.scripts.push({ src: src.trim().slice(0, 2_048), hasIntegrity: Boolean(integrity) })
        }
        if (tag !== 'meta' || !content) return
        const states = (equivalent ?? name)?.trim().toLowerCase()
        if (equivalent !== undefined && states === 'content-security-policy') {
          if (findings.policies.length < maxPolicies) findings.policies.push(content.slice(0, 8_192))
        } else if (equivalent === undefined && states === 'referrer') findings.referrer = content.slice(0, 8_192)
      },
    },
    { isXml: false },
  )
  markup.write(html)
  markup.end()
  return findings
}

export function scoreScripts({ scripts, scriptCount }: PageFindings, page: URL): ScoredResult {
  if (scriptCount === 0) return 'sri-not-implemented-but-no-scripts-loaded'
  const own = getDomain(page.hostname) ?? page.hostname
  const placed = scripts.map(script => ({ ...script, ...placeOf(script.src, own, page) }))
  const others = placed.filter(({ isOwn }) => !isOwn)
  if (others.some(script => !script.hasIntegrity && !script.isSecure))
    return 'sri-not-implemented-and-external-scripts-not-loaded-securely'
  if (others.some(script => !script.hasIntegrity)) return 'sri-not-implemented-but-external-scripts-loaded-securely'
  if (others.some(script => !script.isSecure)) return 'sri-implemented-but-external-scripts-not-loaded-securely'
  if (placed.some(script => script.isOwn && script.isSecure && script.hasIntegrity))
    return 'sri-implemented-and-all-scripts-loaded-securely'
  return others.length > 0
    ? 'sri-implemented-and-external-scripts-loaded-securely'
    : 'sri-not-implemented-but-all-scripts-loaded-from-secure-origin'
}

/** `//host/…` takes the scheme of the page, so it counts as foreign and insecure. */
function placeOf(src: string, own: string, page: URL): { isOwn: boolean; isSecure: boolean } {
  if (/^\/\/[^/]/.test(src)) return { isOwn: false, isSecure: false }
  const url = /^https?:\/\//i.test(src) ? URL.parse(src) : null
  if (!url) return { isOwn: true, isSecure: page.protocol === 'https:' }
  return { isOwn: (getDomain(url.hostname) ?? url.hostname) === own, isSecure: url.protocol === 'https:' }
}
