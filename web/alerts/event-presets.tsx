import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EventPicker, type EventType, eventTypesQuery } from '../parts/event-picker.tsx'
import { CheckboxField } from '../parts/field.tsx'
import { usePerson } from '../shell/session.ts'

const certificates = [
  'warning.ssl_expiring',
  'warning.domain_expiring',
  'certificate.renewed',
  'dns.records_changed',
  'dns.nameserver_changed',
]

/** The groups of events that most rules consist of, by what each takes of all. */
const presets = {
  incidents: name => name === 'incident.created' || name === 'incident.resolved',
  warnings: name => name.startsWith('warning.') && !certificates.includes(name),
  certificates: name => certificates.includes(name),
  everything: () => true,
} as const satisfies Record<string, (name: string) => boolean>

interface EventPresetsProps {
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
  error: string | undefined
}

/**
 * The events of a rule: by groups, and one by one in a list that is folded while the groups say it all. Other names of
 * an event are listed only where they were chosen; events that take the place of mails only for resellers.
 */
export function EventPresets({ chosen, onChange, error }: EventPresetsProps) {
  const { t } = useTranslation('alerts')
  const { isReseller } = usePerson()
  const [first] = useState(chosen)
  const [isOpen, setOpen] = useState<boolean | null>(null)
  const types = useQuery(eventTypesQuery).data?.data ?? []
  const isOffered = ({ name, alias_of }: EventType) =>
    first.includes(name) || (alias_of === null && (isReseller || !name.startsWith('email.')))
  const offered = types.filter(isOffered)
  const meant = (name: string) => types.find(each => each.name === name)?.alias_of ?? name
  const has = (name: string, names = chosen) => names.some(each => meant(each) === name)
  const groups = Object.entries(presets).map(([id, isOf]) => {
    const names = offered.flatMap(({ name, alias_of }) => (alias_of === null && isOf(name) ? [name] : []))
    return { id: id as keyof typeof presets, names, isWhole: names.length > 0 && names.every(name => has(name)) }
  })
  const said = new Set(groups.flatMap(({ names, isWhole }) => (isWhole ? names : [])))
  const hasOthers = types.length > 0 && chosen.some(name => !said.has(meant(name)))
  return (
    <>
      <fieldset className="plain">
        <legend>{t('rules.events')}</legend>
        {groups.map(({ id, names, isWhole }) => (
          <CheckboxField
            key={id}
            label={t(`rules.preset.${id}`)}
            description={t(`rules.preset.${id}.says`)}
            isSelected={isWhole}
            isDisabled={names.length === 0}
            onChange={isOn =>
              onChange(
                isOn
                  ? [...chosen, ...names.filter(name => !has(name))]
                  : chosen.filter(each => !names.includes(meant(each))),
              )
            }
          />
        ))}
      </fieldset>
      <details
        open={error !== undefined || (isOpen ?? hasOthers)}
        onToggle={event => setOpen(event.currentTarget.open)}
      >
        <summary>{t('rules.single')}</summary>
        <EventPicker {...{ chosen, onChange, error, isOffered }} />
      </details>
    </>
  )
}
