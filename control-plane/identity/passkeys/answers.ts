import { z } from 'zod'

const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, 'Must be base64url without padding.')

/** Of at most 1,023 bytes (WebAuthn 5.1.3). */
const credentialId = base64url(1_364)
const clientData = base64url(4_000)
const attachment = z.enum(['platform', 'cross-platform']).nullish()
const extensions = z.record(z.string(), z.unknown()).optional()

/** What a browser answers to `navigator.credentials.create`, as its `toJSON` writes it. */
export const RegistrationAnswer = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    authenticatorAttachment: attachment,
    clientExtensionResults: extensions,
    response: z.object({
      clientDataJSON: clientData,
      attestationObject: base64url(16_000),
      transports: z.array(z.string().max(20)).max(10).default([]),
      authenticatorData: base64url(8_000).optional(),
      publicKey: base64url(8_000).nullish(),
      publicKeyAlgorithm: z.int().optional(),
    }),
  })
  .meta({ id: 'PasskeyRegistration' })
export type RegistrationAnswer = z.output<typeof RegistrationAnswer>

/** What a browser answers to `navigator.credentials.get`, as its `toJSON` writes it. */
export const SignInAnswer = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    authenticatorAttachment: attachment,
    clientExtensionResults: extensions,
    response: z.object({
      clientDataJSON: clientData,
      authenticatorData: base64url(4_000),
      signature: base64url(8_000),
      userHandle: base64url(100).nullish(),
    }),
  })
  .meta({ id: 'PasskeySignIn' })
export type SignInAnswer = z.output<typeof SignInAnswer>
