import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { messageOf, type Refused, splitRefusal } from './problem.ts'
import './failure.css'

export interface Problem {
  error: Error
  refused: Refused
}

/** What went wrong: the message, what stands at no field, and the number of the request. */
export function ProblemMessage({ problem: { error, refused } }: { problem: Problem }) {
  const { t, i18n } = useTranslation('parts')
  const { others } = refused
  const areAllAtFields = others.length === 0 && Object.keys(refused.fields).length > 0
  return (
    <div className="problem" role="alert" tabIndex={-1}>
      <p>{areAllAtFields ? t('form.refused') : messageOf(error, i18n)}</p>
      {others.length > 0 && (
        <ul>
          {others.map(({ name, message }) => (
            <li key={name}>
              <code>{name}</code>: {message}
            </li>
          ))}
        </ul>
      )}
      {error instanceof ApiError && error.status >= 500 && error.requestId && (
        <p>
          {t('error.requestId')} <code>{error.requestId}</code>
        </p>
      )}
    </div>
  )
}

/** A failure outside a form, shown as forms show theirs. */
export function Failure({ error }: { error: Error | null }) {
  return error && <ProblemMessage problem={{ error, refused: splitRefusal(fieldsOf(error), new Set()) }} />
}

const fieldsOf = (error: Error) => (error instanceof ApiError ? error.fields : {})
