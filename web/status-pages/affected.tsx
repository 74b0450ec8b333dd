import { useTranslation } from 'react-i18next'
import { SelectField } from '../parts/field.tsx'
import { type SettableStatus, type StatusPage, statuses } from './queries.ts'

export type Affected = { component_id: string; status: SettableStatus }[]

interface FieldsProps {
  page: StatusPage
  value: Affected
  onChange(value: Affected): void
}

/** How an incident concerns each component. */
export function AffectedFields({ page, value, onChange }: FieldsProps) {
  const { t } = useTranslation('status-pages')
  if (page.components.length === 0) return null
  const put = (id: string, status: SettableStatus | '') => {
    const rest = value.filter(({ component_id }) => component_id !== id)
    onChange(status === '' ? rest : [...rest, { component_id: id, status }])
  }
  return (
    <details>
      <summary>
        {t('post.components')}: {t('post.components.count', { count: value.length })}
      </summary>
      {page.components.map(({ id, name }) => (
        <SelectField<SettableStatus | ''>
          key={id}
          label={name}
          choices={[
            { id: '', label: t('post.components.not') },
            ...statuses.map(status => ({ id: status, label: t(`status.${status}`) })),
          ]}
          value={value.find(({ component_id }) => component_id === id)?.status ?? ''}
          onChange={status => put(id, status)}
        />
      ))}
    </details>
  )
}
