import type { PageBrand } from './brand.ts'
import { documentOf, escapeHtml } from './html.ts'
import type { PageLanguage } from './page.ts'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** Paths of the app that alerts link to, and where the API has the same. */
const kinds = ['incidents', 'monitors'] as const

const words = {
  en: {
    incidents: 'Incident',
    monitors: 'Monitor',
    other: 'The app',
    says: 'The app is not part of this installation yet. With a token of your team, the API shows the same here:',
    docs: 'How to sign in and use the API',
  },
  de: {
    incidents: 'Störung',
    monitors: 'Monitor',
    other: 'Die App',
    says: 'Die App gehört noch nicht zu dieser Installation. Mit einem Token Ihres Teams zeigt die API hier dasselbe:',
    docs: 'Anmeldung und Benutzung der API',
  },
}

/** A page for the addresses that alerts link to while there is no app: it names the API path with the same content. */
export function appPage(path: string, baseUrl: string, language: PageLanguage, brand: PageBrand): string {
  const said = words[language]
  const [, , kind, id, ...more] = path.split('/')
  const known = kinds.find(each => each === kind)
  const isOne = known !== undefined && id !== undefined && uuid.test(id) && more.length === 0
  const api = `${baseUrl}/api/v1${known === undefined ? '/incidents' : `/${known}${isOne ? `/${id}` : ''}`}`
  const body = `<p>${said.says}</p>
<p><code>GET ${escapeHtml(api)}</code></p>
<p><a href="/api/docs">${said.docs}</a></p>`
  return documentOf({ language, brand, title: isOne ? said[known] : said.other, body })
}
