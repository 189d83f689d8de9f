// What every client must see, whichever it is: one row a scenario.
//
//   model        the scripted model's script, asked through the proxy
//   options      of the script: the time between its writes, the coding of the whole
//   stream       false: one JSON body
//   text         what the client has at the end; `asSaid`: what the model itself says
//   calls        structured calls, arguments as values
//   finish       the finish reason; not looked at where there is an error
//   prompt       prompt tokens of the usage; the model counts 20 a request
//   error        what the error that the client raises must say; none may be raised without it
//   requests     how many the model was sent in all, corrections and the client's retries included
//   corrections  how many of them were corrections
//   abort        the client goes at the first text; the model must see it within `abort` ms
//   together     that many requests at once, from these rows in turn
//
// An adapter's `differences` replace members of a row, each with the reason.

export const asSaid = Symbol('the text of the model');

const stripped = 'Let me check the tide table. High water at Brest is at 06:10.';
const corrected = 'High water at Brest is at 06:10 today.';
const malformed = 'The model returned a malformed reply — please try again.';
const brokeOff = 'The model server\'s reply broke off before its end';

const calls = [
  { name: 'lookup_tide', arguments: { port: 'Brest' } },
  { name: 'run_shell', arguments: { command: 'echo \'<tool_call>\' [TOOL_CALLS]' } },
];

const defaults = {
  options: 'pace_ms=0', stream: true,
  calls: [], finish: 'stop', prompt: 20, requests: 1, corrections: 0,
};

const rows = [
  { name: 'clean', model: 'clean', text: asSaid },
  { name: 'leak', model: 'leak-split', text: stripped },
  { name: 'corrected', model: 'scaffold-only', text: corrected,
    prompt: 40, requests: 2, corrections: 1 },
  { name: 'twice', model: 'scaffold-twice', text: '', error: malformed,
    requests: 2, corrections: 1 },
  { name: 'cut', model: 'fault-cut', text: 'The harbour opens at six', error: brokeOff },
  { name: 'calls', model: 'tools', text: 'Let me look.', calls, finish: 'tool_calls' },
  { name: 'finish', model: 'finish-without-call', text: asSaid },
  { name: 'unicode', model: 'unicode-cut', options: 'pace_us=500', text: asSaid },
  { name: 'gzip', model: 'leak-split', options: 'pace_ms=0&coding=gzip', text: stripped },
  { name: '5,000', model: 'long', text: asSaid },
  { name: 'clean/json', model: 'clean', stream: false, text: asSaid },
  { name: 'leak/json', model: 'leak-split', stream: false, text: stripped },
  { name: 'gzip/json', model: 'leak-split', options: 'coding=gzip', stream: false, text: stripped },
  { name: 'corrected/json', model: 'scaffold-only', stream: false, text: corrected,
    prompt: 40, requests: 2, corrections: 1 },
  { name: 'twice/json', model: 'scaffold-twice', stream: false, text: '', error: malformed,
    requests: 2, corrections: 1 },
  { name: 'calls/json', model: 'tools', stream: false, text: 'Let me look.', calls,
    finish: 'tool_calls' },
  { name: 'finish/json', model: 'finish-without-call', stream: false, text: asSaid },
  { name: 'abort', model: 'long', options: 'pace_ms=20', abort: 1000 },
  { name: '20 at once', together: 20, of: ['clean', 'leak', 'corrected', 'unicode'] },
];

export const scenarios = rows.map((row) => ({ ...defaults, ...row }));
