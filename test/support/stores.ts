import { get } from 'node:http'
import { inject } from 'vitest'
import type { Browser } from './browser.ts'

export interface StoreAddresses {
  /** The owner's address of the database `vedette`, without a schema, and the passwords for the two service roles. */
  postgres: { ownerUrl: string; appPassword: string; platformPassword: string }
  clickhouse: { url: string }
  temporal: { address: string }
  /**
   * A program for `TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } }
   * })`.
   */
  timeSkipping: { path: string }
  browser: Browser
  /** The built app. */
  web: { folder: string }
}

/**
 * A store of this test run, started when it is first asked for and shared by all test files: bring your own database or
 * tenant.
 */
export const store = <Name extends keyof StoreAddresses>(name: Name): Promise<StoreAddresses[Name]> =>
  new Promise((resolve, reject) => {
    get(`http://127.0.0.1:${inject('storesPort')}/${name}`, { agent: false }, response => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', chunk => (body += chunk))
      response.on('error', reject)
      response.on('end', () =>
        response.statusCode === 200 ? resolve(JSON.parse(body)) : reject(new Error(`${name} did not start: ${body}`)),
      )
    }).on('error', reject)
  })

/** Lets control planes of this process and of those that it starts serve the app. */
export async function serveApp(): Promise<void> {
  process.env.WEB_FOLDER ??= (await store('web')).folder
}
