import { useTranslation } from 'react-i18next'
import { CheckboxField } from '../parts/field.tsx'
import './scope-picker.css'

const levels = ['read', 'write', 'manage'] as const

interface ScopePickerProps {
  label: string
  description: string
  /** Such as `monitors:read`, each with what it covers. */
  scopes: readonly { value: string; description: string }[]
  chosen: readonly string[]
  onChange(chosen: string[]): void
  error?: string | undefined
}

/** Scopes as a grid: a row for each family, a column for each level. `manage` covers the other two. */
export function ScopePicker({ label, description, scopes, chosen, onChange, error }: ScopePickerProps) {
  const { t } = useTranslation('tokens')
  const families = [...new Set(scopes.map(({ value }) => value.split(':')[0] ?? ''))]
  const put = (scope: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, scope] : chosen.filter(each => each !== scope))
  return (
    <fieldset className="scopes">
      <legend>{label}</legend>
      <p className="soft">{description}</p>
      <table>
        <tbody>
          {families.map(family => (
            <tr key={family}>
              <th scope="row">{t(`scope.${family}`)}</th>
              {levels.map(level => {
                const scope = `${family}:${level}`
                const isOffered = scopes.some(({ value }) => value === scope)
                const isCovered = level !== 'manage' && chosen.includes(`${family}:manage`)
                return (
                  <td key={level}>
                    {isOffered && (
                      <CheckboxField
                        label={t(`level.${level}`)}
                        isSelected={isCovered || chosen.includes(scope)}
                        isDisabled={isCovered}
                        onChange={isChosen => put(scope, isChosen)}
                      />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
