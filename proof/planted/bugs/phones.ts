/** Bugs about phones, nodes, recordings and repeated requests. */
import type { Bug } from '../bug.ts'

export const phoneBugs: Bug[] = [
  {
    name: 'older-registration-wins',
    about: 'A node writes its phone over a newer registration at another node.',
    file: 'src/extensions/phones/registrations-store.ts',
    search: 'where registrations.node = excluded.node or registrations.renewed_at <= excluded.renewed_at',
    replace: 'where registrations.node = excluded.node or registrations.renewed_at > excluded.renewed_at',
    foundBy: ['registrations'],
  },
  {
    name: 'refresh-of-lost-row',
    about: 'A refresh only updates: a phone whose row is gone never comes back.',
    file: 'src/extensions/phones/registrations-store.ts',
    search: 'registered_at, expires_at, user_agent, way, renewed_at from given order by id',
    replace:
      'registered_at, expires_at, user_agent, way, renewed_at from given where registered_at = renewed_at order by id',
    foundBy: ['registrations'],
  },
  {
    name: 'time-of-the-machine',
    about: "A process takes the time from its machine's clock, not from the database.",
    file: 'src/store/connection/database-clock.ts',
    search: 'const nowMs = () => origin + machine.elapsed()',
    replace: 'const nowMs = () => (origin > 0 ? machine.now().getTime() : 0)',
    foundBy: ['times', 'price', 'registrations', 'webhooks', 'one end', 'hang-up', 'settled', 'event order'],
  },
  {
    name: 'lease-by-wall-clock',
    about: "A node writes the end of its lease by its machine's clock.",
    file: 'src/nodes/lease.ts',
    search: 'renewNode(db, { ...row, ...load(), ...reported }, leaseSeconds)',
    replace:
      'renewNode(db, { ...row, ...load(), ...reported }, leaseSeconds + databaseClock.machineOffsetMs() / 1000)',
    foundBy: ['registrations', 'one end', 'hang-up', 'price'],
  },
  {
    name: 'node-not-fenced',
    about: 'A node that cannot renew its lease goes on with calls that others have ended.',
    file: 'src/voice/node.ts',
    search: "for (const callId of engine.liveCalls()) engine.hangUp(callId, 'RECOVERY_ON_TIMER_EXPIRE')",
    replace:
      "for (const callId of engine.liveCalls().slice(0, 0)) engine.hangUp(callId, 'RECOVERY_ON_TIMER_EXPIRE')",
    foundBy: ['hang-up', 'one end', 'price', 'recordings'],
  },
  {
    name: 'recording-discarded-first',
    about: 'The recording is discarded before it is stored.',
    file: 'src/recordings/recording-intake.ts',
    search: '    await store.put(recordingNameOf(call), recording)\n',
    replace: '    await recording.discard()\n    await store.put(recordingNameOf(call), recording)\n',
    foundBy: ['recordings'],
  },
  {
    name: 'abandoned-recordings-ignored',
    about: 'What a killed process has recorded is not taken over by the next one.',
    file: 'src/recordings/recording-intake.ts',
    search:
      "if (!setAside && call.recording !== 'removed' && recording.seconds > 0) return await move(call, recording)",
    replace: '',
    foundBy: ['recordings'],
  },
  {
    name: 'key-without-lease',
    about: 'A key is free again while its first request still works.',
    file: 'src/store/idempotency.ts',
    search: 'const leaseSeconds = 60',
    replace: 'const leaseSeconds = 0',
    foundBy: ['idempotency'],
  },
  {
    name: 'key-released-after-work',
    about: 'A failure after the commit frees the key: the retry places a second call.',
    file: 'src/http/idempotent.ts',
    search: 'else if (!isSaved || error instanceof Refusal) await claim.release()',
    replace: 'else await claim.release()',
    foundBy: ['idempotency'],
  },
]
