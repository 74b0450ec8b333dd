import { expect, test } from 'vitest'
import { withLinks } from '#control-plane/tenancy/portal-hosts/origin.ts'

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
  expect(withLinks(data, { baseUrl: base, origin: 'https://portal.example.com', team: 'any' })).toEqual({
    ...data,
    reset_url: 'https://portal.example.com/password-reset#token',
    access_url: 'https://portal.example.com/status/acme/access?token=1',
  })
  expect(withLinks(data, { baseUrl: base, origin: base, team: null })).toEqual(data)
})

test('at the host of the installation a page behind a link is shown in the brand of a team that has one', () => {
  const team = 'a5b7f5d2-6c3a-4c0b-9d7e-0e0d0f1a2b3c'
  const data = {
    reset_url: `${base}/password-reset#token`,
    details_url: `${base}/app/monitors`,
    access_url: `${base}/x?a#b`,
  }
  expect(withLinks(data, { baseUrl: base, origin: base, team })).toEqual({
    ...data,
    reset_url: `${base}/password-reset?team=${team}#token`,
  })
})
