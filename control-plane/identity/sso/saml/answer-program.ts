import { type Expected, readResponse, type SamlProvider, type SamlStatement } from './response.ts'

/** Reads and verifies the answer of a provider. A program: any visitor sends one. */
export const run = ({
  response,
  provider,
  expected,
}: {
  response: string
  provider: SamlProvider
  expected: Expected
}): Promise<SamlStatement> => readResponse(response, provider, expected)
