import { makerOf } from '#control-plane/access/tokens/create.ts'
import { type TokenFamily, tokenEndpoints, updateToken } from '#control-plane/access/tokens/endpoints.ts'
import { generalTokens } from '#control-plane/access/tokens/general.ts'
import { forbidden } from '#control-plane/base/refusal.ts'
import { notify } from '#control-plane/identity/users/notify.ts'

const byRole = 'Its scopes must be within those of your role, and it never does more than your present role allows.'

const family: TokenFamily = {
  ...generalTokens,
  path: '/api-tokens',
  noun: 'api_token',
  reading: 'session',
  writing: 'session',
  says: {
    list: { summary: 'List your tokens, newest first, without their secrets' },
    get: { summary: 'Get one of your tokens, without its secret' },
    create: {
      summary: 'Create a token that acts in your name',
      description: `Its secret is shown once. ${byRole} It ends when you leave the team.`,
    },
    rotate: {
      summary: 'Rotate one of your tokens',
      description:
        'The old secret keeps working for a while. ' +
        `The new token takes over name, scopes, addresses and expiry. A token is replaced once. ${byRole}`,
    },
    delete: { summary: 'Revoke one of your tokens' },
  },
  /** Tokens and sessions opened by a shown link may not use a person's tokens. */
  holderOf({ caller: { kind, isLocked, user, tenant } }) {
    if (kind !== 'ss' || isLocked || !user) throw forbidden('Sign in with your own account for this.', 'session_needed')
    return { kind: 'sk', tenantId: tenant.id, userId: user.id }
  },
  peopleOf: ({ caller }) => ({ userId: caller.user?.id ?? null, createdBy: makerOf(caller) }),
  notify(context, type) {
    if (context.caller.user) notify(context, type, context.caller.user)
  },
}

export const {
  list: listApiTokens,
  get: getApiToken,
  create: createApiToken,
  rotate: rotateApiToken,
  remove: deleteApiToken,
} = tokenEndpoints(family)
export const updateApiToken = updateToken(family, { summary: 'Rename, enable or disable one of your tokens' })
