import { z } from 'zod'
import type { Payer } from '#control-plane/db/model/shapes.ts'

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine(
      text => !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text),
      'Must not contain control characters.',
    )
    .nullable()

/** Who pays, as invoices name them. */
export const payerFields = {
  name: line(255),
  email: z
    .email()
    .max(255)
    .nullable()
    .meta({ description: 'Gets the mails about payments, beside the owners of the team.' }),
  address: line(500),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Must be a country of two capital letters (ISO 3166).')
    .nullable(),
} satisfies { [Field in keyof Payer]-?: z.ZodType<Payer[Field]> }
export const payerFieldNames = ['name', 'email', 'address', 'country'] as const satisfies (keyof typeof payerFields)[]

/** The payer with all fields. */
export const payerOf = ({ name = null, email = null, address = null, country = null }: Payer) => ({
  name,
  email,
  address,
  country,
})
