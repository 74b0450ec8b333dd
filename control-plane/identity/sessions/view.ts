import { z } from 'zod'

export const LoginUser = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.email(),
    tenant_id: z.uuid(),
    role: z.string(),
    language: z.string(),
    mfa_due_at: z.string().nullable().meta({
      format: 'date-time',
      description: 'From when the team refuses the person without a second factor; null where it does not.',
    }),
    is_super_admin: z.literal(true).optional().meta({ description: 'For operators of this installation.' }),
    managed_teams: z
      .array(
        z.object({
          id: z.uuid(),
          tenant_id: z.uuid(),
          name: z.string(),
          slug: z.string(),
          label: z.string().nullable(),
        }),
      )
      .optional()
      .meta({ description: 'For reseller accounts' }),
  })
  .meta({ id: 'User' })
