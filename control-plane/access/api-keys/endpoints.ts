import { makerOf } from '#control-plane/access/tokens/create.ts'
import { type TokenFamily, tokenEndpoints, updateToken } from '#control-plane/access/tokens/endpoints.ts'
import { generalTokens } from '#control-plane/access/tokens/general.ts'

const withinOwn =
  'To create, rotate or enable a key needs each of its scopes; for a reseller’s token, the matching domain.'
const byMaker =
  'It may do at most what its creator may do in the team at that moment, and nothing once they have ' +
  'left; a rotation makes the caller its creator.'

const family: TokenFamily = {
  ...generalTokens,
  path: '/api-keys',
  noun: 'api_key',
  reading: { tenant: 'settings:manage', reseller: 'api-keys:read' },
  writing: { tenant: 'settings:manage', reseller: 'api-keys:write' },
  making: { needsOwnSession: true },
  says: {
    list: { summary: 'List the team’s API keys', description: 'Newest first, without their secrets.' },
    get: { summary: 'Get one of the team’s API keys, without its secret' },
    create: {
      summary: 'Create an API key of the team',
      description:
        'Its secret is shown once. ' +
        `It acts for the team, not for a person, and ends with the team. ${byMaker} ${withinOwn}`,
    },
    rotate: {
      summary: 'Rotate an API key',
      description:
        'The old secret keeps working for a while. ' +
        'The new key takes over name, scopes, addresses and expiry. A key is replaced once; the caller becomes its ' +
        `creator. ${withinOwn}`,
    },
    delete: { summary: 'Revoke an API key' },
  },
  holderOf: ({ tenant }) => ({ kind: 'svc', tenantId: tenant.id }),
  peopleOf: ({ caller }) => ({ userId: null, createdBy: makerOf(caller) }),
}

export const {
  list: listApiKeys,
  get: getApiKey,
  create: createApiKey,
  rotate: rotateApiKey,
  remove: deleteApiKey,
} = tokenEndpoints(family)
export const updateApiKey = updateToken(family, {
  summary: 'Rename, enable or disable an API key',
  description: `A disabled key is refused from the next request on. ${withinOwn}`,
})
