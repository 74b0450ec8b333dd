import type { PageBrand } from './brand.ts'
import { documentOf, escapeHtml } from './html.ts'
import type { PageLanguage } from './page.ts'

const words = {
  en: {
    says: 'This is an uptime service. It has no web app yet: everything is done by its API.',
    read: 'Read the API and try it',
    description: 'its description for programs',
    account: 'An account:',
    local:
      'after npm start, local.json in the data folder (.data by default) holds an operator, a reseller and a team.',
    own: 'on stores of your own, an operator is made by',
    enter: 'Sign in',
    signIn: 'A token to begin with, by address and password:',
  },
  de: {
    says:
      'Dies ist ein Dienst, der Erreichbarkeit überwacht. Eine Web-App hat er noch nicht: Alles geht ' +
      'über seine API.',
    read: 'Die API lesen und ausprobieren',
    description: 'ihre Beschreibung für Programme',
    account: 'Ein Konto:',
    local:
      'Nach npm start stehen in local.json im Datenordner (.data, wenn kein anderer genannt wurde) ' +
      'ein Betreiber, ein Reseller und ein Team.',
    own: 'Auf eigenen Datenbanken wird ein Betreiber angelegt mit',
    enter: 'Anmelden',
    signIn: 'Ein Token für den Anfang, mit Adresse und Passwort:',
  },
} as const

/** The home page while there is no web app: links to the documentation, and the first steps. */
export function homeOf(language: PageLanguage, baseUrl: string, brand: PageBrand): string {
  const { says, read, description, account, local, own, signIn, enter } = words[language]
  const call = `curl -s ${baseUrl}/api/v1/auth/token -H 'Content-Type: application/json' \\
  -d '{"email":"…","password":"…","device_name":"shell"}'`
  const body = `<p>${says}</p>
<p><a class="button" href="/login">${enter}</a></p>
<p><a href="/api/docs">${read}</a> (<a href="/api/v1/openapi.json">${description}</a>)</p>
<p>${account}</p>
<ul><li>${local}</li><li>${own} <code>vedette account create --operator you@example.com</code></li></ul>
<p>${signIn}</p>
<pre tabindex="0">${escapeHtml(call)}</pre>`
  return documentOf({ language, brand, title: brand.name, body, isWide: true })
}
