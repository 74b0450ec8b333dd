import { expect, test } from 'vitest'
import { withOrigin } from '#control-plane/tenancy/portal-hosts/origin.ts'

const base = 'https://vedette.example.net'

test('only links of the installation move to the portal, with their path and token', () => {
  const data = {
    reset_url: `${base}/password-reset#token`,
    page_url: 'https://status.example.com/',
    other_host_url: `${base}.evil.example/x`,
    title: `${base}/is mentioned`,
    access_url: `${base}/status/acme/access?token=1`,
    other_url: null,
  }
  expect(withOrigin(data, base, 'https://portal.example.com')).toEqual({
    ...data,
    reset_url: 'https://portal.example.com/password-reset#token',
    access_url: 'https://portal.example.com/status/acme/access?token=1',
  })
  expect(withOrigin(data, base, base)).toEqual(data)
})
