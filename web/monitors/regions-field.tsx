import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CheckboxField } from '../parts/field.tsx'
import { Fieldset } from '../parts/form.tsx'
import { regionsQuery } from './queries.ts'

interface RegionsFieldProps {
  /** Names of regions; none means all. */
  value: readonly string[]
  onChange(regions: string[]): void
  /** The field in the API. */
  name?: string
}

/** Which regions run the checks. Those that a monitor names but that are gone can still be taken away. */
export function RegionsField({ value, onChange, name: field = 'regions' }: RegionsFieldProps) {
  const { t } = useTranslation('monitors')
  const { data: regions } = useSuspenseQuery(regionsQuery)
  const names = [...new Set([...regions.map(({ name }) => name), ...value])]
  return (
    <Fieldset legend={t('field.regions')}>
      <p className="soft">{t('field.regionsSays')}</p>
      {names.map((name, index) => (
        <CheckboxField
          key={name}
          // what is wrong with the choice is said once
          {...(index === 0 && { name: field })}
          label={name}
          isSelected={value.includes(name)}
          onChange={selected => onChange(selected ? [...value, name] : value.filter(other => other !== name))}
        />
      ))}
    </Fieldset>
  )
}
