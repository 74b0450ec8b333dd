import { z } from 'zod'

export const LoginUser = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.email(),
    tenant_id: z.uuid(),
    role: z.string(),
    language: z.string(),
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
