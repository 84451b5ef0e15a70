/** The engine's contract with our own SIP endpoints at both ends. */
import { describeEngine } from '../../../src/engine/contract-suite.ts'
import { makeEndpointWorld } from '../worlds/endpoint-world.ts'

// The calls of the embedded engine end with its process.
describeEngine('The embedded engine with our own endpoints', makeEndpointWorld, { cannot: ['killed'] })
