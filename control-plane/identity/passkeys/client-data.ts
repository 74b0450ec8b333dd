import { z } from 'zod'

const ClientData = z.object({ challenge: z.string(), crossOrigin: z.boolean().optional() })

/**
 * The challenge that the browser signed. Null for data of no browser, and for an answer given in a frame of another
 * origin, whose page could lead the person to sign.
 */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge, crossOrigin } = ClientData.parse(
      JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')),
    )
    return crossOrigin ? null : challenge
  } catch {
    return null
  }
}
