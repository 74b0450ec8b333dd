import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { peopleQuery } from './queries.ts'

type Rotation = Schemas['OnCallRotationChange']
type Restriction = Schemas['OnCallRestriction']

const handoffs = ['daily', 'weekly', 'custom'] as const
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const mostRestrictions = 10
const hourMinutes = 60

interface Props {
  at: number
  rotation: Rotation
  refused: Readonly<Record<string, string>>
  onChange(rotation: Rotation): void
}

/** The people of a rotation in their order, when they hand off, and the hours that it is limited to. */
export function RotationFields({ at, rotation, refused, onChange }: Props) {
  const { t } = useTranslation('on-call')
  const path = `rotations.${at}`
  const { handoff, shift_minutes: minutes, restrictions = [] } = rotation
  const putRestriction = (index: number, next: Restriction) =>
    onChange({ ...rotation, restrictions: restrictions.map((each, place) => (place === index ? next : each)) })
  return (
    <>
      <TextField
        label={t('rotation.name')}
        name={`${path}.name`}
        isRequired
        value={rotation.name}
        onChange={name => onChange({ ...rotation, name })}
      />
      <PeopleInOrder
        users={rotation.users}
        refused={Object.entries(refused).find(([name]) => name.startsWith(`${path}.users`))?.[1]}
        onChange={users => onChange({ ...rotation, users })}
      />
      <SelectField
        label={t('handoff')}
        name={`${path}.handoff`}
        value={handoff}
        onChange={next =>
          onChange({ ...rotation, handoff: next, shift_minutes: next === 'custom' ? 12 * hourMinutes : null })
        }
        choices={handoffs.map(id => ({ id, label: t(`handoff.${id}`) }))}
      />
      {handoff === 'custom' && (
        <NumberField
          label={t('handoff.hours')}
          name={`${path}.shift_minutes`}
          unit={t('hours')}
          minValue={1}
          value={(minutes ?? hourMinutes) / hourMinutes}
          onChange={hours => onChange({ ...rotation, shift_minutes: Math.round(hours * hourMinutes) })}
        />
      )}
      <TextField
        label={t('handoff.first')}
        description={t('handoff.first.says')}
        name={`${path}.first_handoff_at`}
        type="datetime-local"
        isRequired
        value={rotation.first_handoff_at}
        onChange={first => onChange({ ...rotation, first_handoff_at: first })}
      />
      {restrictions.map((restriction, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: restrictions have no name of their own and keep their place
        <fieldset key={index} className="plain">
          <legend>{t('restriction')}</legend>
          <RestrictionFields
            path={`${path}.restrictions.${index}`}
            restriction={restriction}
            refused={refused[`${path}.restrictions.${index}.days`]}
            onChange={next => putRestriction(index, next)}
          />
          <Button
            icon="delete"
            onPress={() => onChange({ ...rotation, restrictions: restrictions.filter(each => each !== restriction) })}
          >
            {t('restriction.remove')}
          </Button>
        </fieldset>
      ))}
      {restrictions.length < mostRestrictions && (
        <div>
          <Button icon="add" onPress={() => onChange({ ...rotation, restrictions: [...restrictions, workingHours] })}>
            {t('restriction.add')}
          </Button>
        </div>
      )}
    </>
  )
}

const workingHours: Restriction = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }

interface PeopleProps {
  users: readonly string[]
  refused: string | undefined
  onChange(users: string[]): void
}

function PeopleInOrder({ users, refused, onChange }: PeopleProps) {
  const { t } = useTranslation('on-call')
  const { data: people = [] } = useQuery(peopleQuery)
  const nameOf = (id: string) => people.find(person => person.id === id)?.label ?? id
  const swapWithPrevious = (at: number) =>
    onChange(users.map((id, index) => (index === at ? users[at - 1] : index === at - 1 ? users[at] : id) ?? id))
  return (
    <fieldset className="plain">
      <legend>{t('people')}</legend>
      <ol className="on-call-people">
        {users.map((id, at) => (
          <li key={id}>
            <div className="row spread">
              <span>{nameOf(id)}</span>
              <span className="row">
                {at > 0 && (
                  <Button
                    variant="quiet"
                    icon="arrowUp"
                    aria-label={t('people.earlier', { name: nameOf(id) })}
                    onPress={() => swapWithPrevious(at)}
                  />
                )}
                <Button
                  variant="quiet"
                  icon="delete"
                  aria-label={t('people.remove', { name: nameOf(id) })}
                  onPress={() => onChange(users.filter(each => each !== id))}
                />
              </span>
            </div>
          </li>
        ))}
      </ol>
      <SelectField
        label={t('people.add')}
        value={null}
        onChange={id => onChange([...users, id])}
        choices={people.filter(({ id }) => !users.includes(id))}
      />
      {refused !== undefined && <p className="field-error">{refused}</p>}
    </fieldset>
  )
}

interface RestrictionProps {
  path: string
  restriction: Restriction
  refused: string | undefined
  onChange(restriction: Restriction): void
}

function RestrictionFields({ path, restriction, refused, onChange }: RestrictionProps) {
  const { t } = useTranslation('on-call')
  const { days } = restriction
  return (
    <>
      <div className="row">
        {weekdays.map(day => (
          <CheckboxField
            key={day}
            label={t(`day.${day}`)}
            isSelected={days.includes(day)}
            onChange={isOn =>
              onChange({ ...restriction, days: isOn ? [...days, day] : days.filter(each => each !== day) })
            }
          />
        ))}
      </div>
      {refused !== undefined && <p className="field-error">{refused}</p>}
      <div className="row">
        {(['from', 'to'] as const).map(end => (
          <TextField
            key={end}
            label={t(`restriction.${end}`)}
            name={`${path}.${end}`}
            type="time"
            isRequired
            value={restriction[end]}
            onChange={time => onChange({ ...restriction, [end]: time })}
          />
        ))}
      </div>
    </>
  )
}
