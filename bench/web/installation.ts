import pg from 'pg'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { buildWeb } from '#cli/local/web.ts'
import type { Role } from '#contract/scopes.ts'
import { createUser } from '#control-plane/identity/users/create.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { type Stores, startServing, withStores } from '../api.ts'

export const password = 'correct horse battery staple'

export interface Installation {
  baseUrl: string
  /** The built app. */
  folder: string
  stores: Stores
  platform: pg.Pool
  browser: Browser
  /** Creates a person of a team. */
  person(of: { tenantId: string; name: string; role?: Role; isOperator?: boolean }): Promise<{ email: string }>
  /** A window in which the person is signed in. */
  window(of: { email: string }, options?: BrowserContextOptions): Promise<BrowserContext>
}

/** Stores, one API process with the app, and a browser; all of it ends with `use`. */
export const withInstallation = (name: string, use: (installation: Installation) => Promise<void>): Promise<void> =>
  withStores(name, async stores => {
    const { folder } = await buildWeb()
    const platform = new pg.Pool({ connectionString: stores.platformUrl, max: 2 })
    await platform.query(`insert into regions (name) values ('eu-west'), ('us-east'), ('ap-south')`)
    const { port, stop } = await startServing(stores, 'api', { WEB_FOLDER: folder, LOG_LEVEL: 'warn' })
    const browser = await openBrowser()
    const baseUrl = `http://127.0.0.1:${port}`
    let persons = 0
    try {
      await use({
        ...{ baseUrl, folder, stores, platform, browser },
        async person({ tenantId, name: called, role = 'owner', isOperator = false }) {
          const email = `person-${++persons}@example.com`
          const id = await createUser(platform, { name: called, email, password, tenantId, role })
          if (isOperator) await platform.query('update users set is_super_admin = true where id = $1', [id])
          return { email }
        },
        async window({ email }, options = {}) {
          const context = await browser.newContext({ baseURL: baseUrl, ...options })
          const answer = await context.request.post('/api/v1/auth/login', {
            data: { email, password },
            headers: { 'Sec-Fetch-Site': 'same-origin' },
          })
          if (!answer.ok()) throw new Error(`Signing in was answered ${answer.status()}: ${await answer.text()}`)
          return context
        },
      })
    } finally {
      await browser.close()
      await stop()
      await platform.end()
    }
  })
