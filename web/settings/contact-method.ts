import type { Schemas } from '../api.ts'
import { refresh } from '../queries.ts'
import { contactMethodsQuery } from './queries.ts'

export type Method = Schemas['ContactMethod']

export const path = '/api/v1/profile/contact-methods/{contact_method}'
export const of = ({ id }: Method) => ({ params: { path: { contact_method: id } } })
export const readMethodsAgain = () => refresh(contactMethodsQuery.queryKey)
