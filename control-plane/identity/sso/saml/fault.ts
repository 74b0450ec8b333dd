/** What may be wrong with the answer of a SAML provider. */
export type SamlReason =
  | 'bad_xml'
  | 'bad_structure'
  | 'bad_signature'
  | 'bad_algorithm'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'wrong_recipient'
  | 'wrong_request'
  | 'wrong_time'
  | 'refused'

/** An answer of a SAML provider that is not accepted. The message is for administrators: it holds no addresses. */
export class SamlFault extends Error {
  override readonly name = 'SamlFault'
  readonly reason: SamlReason

  constructor(reason: SamlReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
