import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeBranding, refuseOwnUpsell } from './change.ts'
import { BrandingChanges } from './fields.ts'
import { validateBranding } from './validate.ts'
import { BrandingView, viewBranding } from './view.ts'

export const updateBranding = endpoint({
  method: 'PATCH',
  path: '/branding',
  summary: 'Update a team’s branding',
  description:
    'Only what is sent changes. ' + 'A reseller’s own branding is the default of its teams. `null` clears a field.',
  access: { tenant: 'settings:manage', reseller: 'branding:write' },
  body: BrandingChanges,
  returns: ok({ data: BrandingView }),
  validate: ({ body, services }) => validateBranding(services.guard, body),

  async handle(context) {
    const { em, tenant, caller, body } = context
    await refuseOwnUpsell(em, caller, tenant, body)
    return { data: await viewBranding(context, await changeBranding(context, tenant, body)) }
  },
})
