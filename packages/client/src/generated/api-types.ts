// biome-ignore-all format: generated
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
/** The API's types, made from its description by `npm run generate` in this package. A test says when they are stale. */
export interface paths {
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All agents, oldest first */
        get: operations["listAgents"];
        put?: never;
        /** Adds an agent */
        post: operations["addAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One agent */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /** Removes an agent; its sessions stay */
        delete: operations["removeAgent"];
        options?: never;
        head?: never;
        /** Changes an agent; warm connections follow */
        patch: operations["changeAgent"];
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Questions that block tool calls, newest first */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{approval}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decides; the first answer wins, and everyone else is told what it was */
        post: operations["answerApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/default-agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The agent a session gets that names none */
        get: operations["getDefaultAgent"];
        /** Sets the agent a session gets that names none */
        put: operations["setDefaultAgent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/drivers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The drivers there are, and what each lacks */
        get: operations["listDrivers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All sessions: a snapshot of the list, then what changes in it; begin again after a cut */
        get: operations["streamHost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keeps a file: its bytes are the body, its type the content type */
        post: operations["storeFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file's bytes */
        get: operations["readFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/host/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copies what is stored, while it runs, into a new directory among the host's backups */
        post: operations["backUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/host/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Waits for work in flight to end; aborts nothing */
        post: operations["drainHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/host/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** No turn starts until this pause is ended */
        post: operations["pauseHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/host/pause/{reason}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends a pause that was asked for over HTTP */
        delete: operations["resumeHost"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/host/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Work in flight */
        get: operations["listWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stored rules about tools, oldest first */
        get: operations["listRules"];
        put?: never;
        /** Adds a rule; one that is there already is given back */
        post: operations["addRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules/{rule}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a rule */
        delete: operations["removeRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sessions, newest first */
        get: operations["listSessions"];
        put?: never;
        /** Makes a session */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One session, by its id or your own */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /** Hides it now and stops its turn; removes it for ever after ten minutes */
        delete: operations["removeSession"];
        options?: never;
        head?: never;
        /** Changes its title or permission mode */
        patch: operations["changeSession"];
        trace?: never;
    };
    "/v1/sessions/{session}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Closes an idle connection to the agent */
        post: operations["closeConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/compact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks the agent to make its history shorter */
        post: operations["compactSession"];
        /** Stops a compaction that runs outside a turn */
        delete: operations["stopCompaction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How full the agent's context is */
        get: operations["getContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session's events from a cursor on, without a gap and without an end */
        get: operations["streamSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The whole session for an import, or the conversation for people */
        get: operations["exportSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new session with the conversation up to a message */
        post: operations["forkSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/inputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Inputs that have not ended, the waiting ones in the order of the queue */
        get: operations["listInputs"];
        put?: never;
        /** Says something to the session; stored when this answers */
        post: operations["submitInput"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/inputs/{input}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One input and its state */
        get: operations["getInput"];
        put?: never;
        post?: never;
        /** Takes back an input the agent has not taken */
        delete: operations["cancelInput"];
        options?: never;
        head?: never;
        /** Changes what a waiting input says, or its place in the queue */
        patch: operations["changeInput"];
        trace?: never;
    };
    "/v1/sessions/{session}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of the conversation shown, oldest first in it */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/queue/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Frees a held input, or all */
        post: operations["releaseInputs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a removal back, within ten minutes */
        post: operations["restoreSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Chooses how to go on after the agent's own session was lost */
        post: operations["resumeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything a viewer begins with, at one place in the journal */
        get: operations["getSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tools its agent has */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Messages and entries of every branch, each after its parent */
        get: operations["readTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Turns by their ids, and what each used */
        get: operations["listTurns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/turns/{turn}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops that turn and no later one */
        post: operations["stopTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the session used */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new session with what had ended in an exported one */
        post: operations["importSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What all sessions used, by day, agent or model */
        get: operations["totalUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Directories a session may work in */
        get: operations["listDirectories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Agent: {
            alwaysAsk: string[];
            createdAt: number;
            /** @enum {string} */
            defaultDelivery: "steer" | "queue";
            disabledTools: string[];
            driver: string;
            driverOptions: {
                [key: string]: unknown;
            };
            effort: string | null;
            id: string;
            instructions: string | null;
            mcpServers: {
                [key: string]: unknown;
            };
            model: string | null;
            name: string;
            /** @enum {string} */
            onInterrupted: "wait" | "continue";
            /** @enum {string} */
            onResumeFailed: "ask" | "fresh" | "fresh-with-transcript";
            permissionMode: components["schemas"]["PermissionMode"];
            provider: {
                /** @description Name of the variable that holds the key on the host. */
                apiKeyEnv?: string;
                baseUrl?: string;
                kind?: string;
            };
            /** @enum {string} */
            queueAfter: "hold" | "run";
            revision: number;
            rules: components["schemas"]["AgentRule"][];
            /** @enum {string} */
            unattended: "deny" | "wait";
            updatedAt: number;
        };
        AgentList: {
            items: components["schemas"]["Agent"][];
        };
        AgentPatch: {
            alwaysAsk?: string[];
            /** @enum {string} */
            defaultDelivery?: "steer" | "queue";
            disabledTools?: string[];
            driver?: string;
            driverOptions?: {
                [key: string]: unknown;
            };
            effort?: string;
            instructions?: string;
            mcpServers?: {
                [key: string]: unknown;
            };
            model?: string;
            name?: string;
            /** @enum {string} */
            onInterrupted?: "wait" | "continue";
            /** @enum {string} */
            onResumeFailed?: "ask" | "fresh" | "fresh-with-transcript";
            permissionMode?: components["schemas"]["PermissionMode"];
            provider?: {
                /** @description Kept in the host's secrets file; never shown again. */
                apiKey?: string;
                /** @description Name of the variable that holds the key on the host. */
                apiKeyEnv?: string;
                baseUrl?: string;
                kind?: string;
            };
            /** @enum {string} */
            queueAfter?: "hold" | "run";
            rules?: components["schemas"]["AgentRule"][];
            /** @enum {string} */
            unattended?: "deny" | "wait";
        };
        AgentRule: {
            /** @enum {string} */
            effect: "allow" | "ask" | "deny";
            pattern?: string | null;
            tool: string;
        };
        Answer: {
            by: string;
            /** @enum {string} */
            decision: "allow" | "deny";
            input: unknown;
            reason: string | null;
            rule?: components["schemas"]["Rule"];
        };
        Approval: {
            answer: components["schemas"]["Answer"] | null;
            asked: components["schemas"]["Asked"] | null;
            closedAt: number | null;
            createdAt: number;
            durable: boolean;
            /** @description null: open. */
            how: ("allow" | "deny" | "withdrawn" | "interrupted" | "expired") | null;
            id: string;
            input: unknown;
            messageId: string | null;
            sessionId: string;
            toolCallId: string;
            toolName: string;
            turnId: string | null;
        };
        ApprovalList: {
            items: components["schemas"]["Approval"][];
        };
        ApprovalResult: {
            approval: components["schemas"]["Approval"];
        };
        /** @description Why a person was asked, and what is known of the call. */
        Asked: {
            because: string;
            /** @enum {string} */
            category: "read" | "write" | "shell" | "network" | "other";
            paths: string[];
            rule: {
                pattern: string | null;
                tool: string;
            } | null;
        };
        Backup: {
            path: string;
        };
        Cancelled: {
            /** @enum {string} */
            state: "cancelled" | "withdrawing";
        };
        /** @description A chunk of the AI SDK's UI message stream. */
        Chunk: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        CompactionWish: {
            text?: string;
        };
        Context: {
            usage: {
                categories?: unknown;
                used: number;
                window: number;
            } | null;
        };
        DefaultAgent: {
            agent: components["schemas"]["Agent"] | null;
        };
        Directories: {
            directories: {
                name: string;
                path: string;
            }[];
            more: boolean;
            path: string | null;
        };
        Drain: {
            timeoutMs: number;
        };
        Drained: {
            stragglerIds: string[];
        };
        Driver: {
            readiness: {
                /** @enum {string} */
                credentials: "ok" | "missing" | "not-needed";
                fix: string | null;
                found: boolean;
                problem: string | null;
                version: string | null;
            };
            type: string;
        };
        DriverList: {
            items: components["schemas"]["Driver"][];
        };
        File: {
            createdAt: number;
            hash: string;
            id: string;
            mediaType: string;
            name: string | null;
            size: number;
            /** @description Names it in the parts of a message. */
            url: string;
        };
        Fork: {
            messageId?: string;
            /** @enum {string} */
            position?: "before" | "at";
            /** @constant */
            seed?: "transcript";
        };
        HostEvent: {
            approvals: components["schemas"]["Approval"][];
            next: string | null;
            sessions: components["schemas"]["SessionListItem"][];
            /** @constant */
            type: "snapshot";
        } | {
            session: components["schemas"]["SessionListItem"] | null;
            sessionId: string;
            /** @constant */
            type: "session.changed";
        } | {
            approvalId: string;
            asked?: components["schemas"]["Asked"];
            at?: number;
            durable: boolean;
            input: unknown;
            messageId?: string;
            sessionId: string;
            toolCallId: string;
            toolName: string;
            turnId?: string;
            /** @constant */
            type: "approval.requested";
        } | {
            answer: components["schemas"]["Answer"] | null;
            approvalId: string;
            at?: number;
            /** @enum {string} */
            how: "allow" | "deny" | "withdrawn" | "interrupted" | "expired";
            sessionId: string;
            turnId?: string;
            /** @constant */
            type: "approval.closed";
        };
        ImportSource: {
            /** @description Id or name; absent: the default agent. */
            agent?: string;
            /** @description The text of a `json` export. */
            document: string;
            /** @description An id of your own, accepted wherever a session id is. */
            id?: string;
            title?: string;
            /** @description A directory inside an allowed root; absent: one is made. */
            workspace?: string;
        };
        Input: {
            bodyHash: string;
            createdAt: number;
            id: string;
            input: {
                agentKey: string;
                author: string | null;
                branch: {
                    messageId: string;
                    /** @enum {string} */
                    position: "before" | "at";
                } | null;
                client?: {
                    hash: string;
                    id: string;
                };
                /** @enum {string} */
                delivery: "steer" | "queue" | "interrupt" | "reject";
                effort: string | null;
                headless: boolean;
                id: string;
                model: string | null;
                /** @enum {string} */
                origin: "user" | "hook" | "continue";
                parts: components["schemas"]["Part"][];
            };
            messageId: string | null;
            position: number | null;
            reason: ("failed" | "stopped" | "interrupted" | "uncertain") | null;
            /** @enum {string} */
            state: "queued" | "held" | "offered" | "taken" | "started" | "answered" | "unanswered" | "cancelled";
            turnId: string | null;
            updatedAt: number;
        };
        InputList: {
            items: components["schemas"]["Input"][];
        };
        /** @description New contents, or a new place in the queue. */
        InputPatch: {
            parts: components["schemas"]["NewPart"][];
        } | {
            text: string;
        } | {
            /** @description Another waiting input, or null for the end. */
            before: string | null;
        };
        Message: {
            createdAt: number;
            id: string;
            inputId: string | null;
            metadata?: unknown;
            parentId: string | null;
            parts: components["schemas"]["Part"][];
            /** @enum {string} */
            role: "system" | "user" | "assistant";
            /** @enum {string} */
            status: "open" | "completed" | "failed" | "stopped" | "interrupted";
            turnId: string | null;
        };
        MessagePage: {
            messages: components["schemas"]["Message"][];
            older: string | null;
        };
        NewAgent: {
            alwaysAsk?: string[];
            /** @enum {string} */
            defaultDelivery?: "steer" | "queue";
            disabledTools?: string[];
            driver: string;
            driverOptions?: {
                [key: string]: unknown;
            };
            effort?: string;
            instructions?: string;
            mcpServers?: {
                [key: string]: unknown;
            };
            model?: string;
            name: string;
            /** @enum {string} */
            onInterrupted?: "wait" | "continue";
            /** @enum {string} */
            onResumeFailed?: "ask" | "fresh" | "fresh-with-transcript";
            permissionMode?: components["schemas"]["PermissionMode"];
            provider?: {
                /** @description Kept in the host's secrets file; never shown again. */
                apiKey?: string;
                /** @description Name of the variable that holds the key on the host. */
                apiKeyEnv?: string;
                baseUrl?: string;
                kind?: string;
            };
            /** @enum {string} */
            queueAfter?: "hold" | "run";
            rules?: components["schemas"]["AgentRule"][];
            /** @enum {string} */
            unattended?: "deny" | "wait";
        };
        NewAnswer: {
            /** @enum {string} */
            decision: "allow" | "deny";
            /** @description Replaces the tool's input. */
            input?: unknown;
            reason?: string;
            /** @enum {string} */
            scope?: "once" | "session" | "agent" | "host";
        };
        NewBackup: {
            /** @description Of the directory that is made among the host's backups; absent: the time. */
            name?: string;
        };
        NewDefaultAgent: {
            /** @description Id or name. */
            agent: string;
        };
        NewInput: {
            branch?: {
                messageId: string;
                /** @enum {string} */
                position: "before" | "at";
            };
            /** @enum {string} */
            delivery?: "steer" | "queue" | "interrupt" | "reject";
            effort?: string;
            /** @description Nobody can answer questions during its turn. */
            headless?: boolean;
            /** @description The idempotency key; else the header `Idempotency-Key`. */
            id?: string;
            model?: string;
            parts?: components["schemas"]["NewPart"][];
            /** @description Instead of `parts`. */
            text?: string;
        };
        /** @description Text, a file (a data URL is stored as a file), or data of your own. */
        NewPart: ({
            providerMetadata?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            text: string;
            /** @constant */
            type: "text";
        } & {
            [key: string]: unknown;
        }) | ({
            filename?: string;
            mediaType: string;
            providerMetadata?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            /** @constant */
            type: "file";
            url: string;
        } & {
            [key: string]: unknown;
        }) | ({
            data: unknown;
            id?: string;
            type: string;
        } & {
            [key: string]: unknown;
        });
        NewRule: {
            agent?: string;
            /** @enum {string} */
            effect: "allow" | "ask" | "deny";
            pattern?: string | null;
            /** @enum {string} */
            scope: "session" | "agent" | "host";
            sessionId?: string;
            tool: string;
        };
        NewSession: {
            /** @description Id or name; absent: the default agent. */
            agent?: string;
            /** @description An id of your own, accepted wherever a session id is. */
            id?: string;
            permissionMode?: components["schemas"]["PermissionMode"];
            title?: string;
            /** @description A directory inside an allowed root; absent: one is made. */
            workspace?: string;
        };
        /** @description A part of a message, as the AI SDK's `UIMessagePart`. A stored file is named by the URL `mooring:file/<id>`: read it at `/v1/files/<id>`. */
        Part: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        Pause: {
            reason: string;
        };
        /** @enum {string} */
        PermissionMode: "plan" | "default" | "acceptEdits" | "bypassPermissions";
        /** @description RFC 9457. `code` and `type` never change; beside these there are facts of the error. */
        Problem: {
            code: string;
            detail: string;
            errors?: {
                detail: string;
                /** @enum {string} */
                in: "body" | "query" | "header";
                /** @description JSON pointer (RFC 6901). */
                pointer: string;
            }[];
            /** @description What to do, or where to look for what there is. */
            hint?: string;
            /** @enum {string} */
            retry: "never" | "later" | "now";
            status: number;
            title: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        Receipt: {
            /** @description A place in a session's journal, as events, snapshots and receipts carry it. */
            cursor: string;
            /** @enum {string} */
            disposition: "started" | "offered" | "queued" | "held" | "handled" | "ended";
            inputId: string;
            /** @enum {string} */
            reason?: "failed" | "stopped" | "interrupted" | "uncertain";
            /** @enum {string} */
            state: "queued" | "held" | "offered" | "taken" | "started" | "answered" | "unanswered" | "cancelled" | "handled";
            turnId?: string;
        };
        /** @description One held input, or all. */
        Release: {
            inputId?: string;
        };
        ResumeChoice: {
            /** @enum {string} */
            choice: "retry" | "fresh" | "fresh-with-transcript";
        };
        Rule: {
            agentId: string | null;
            approvalId: string | null;
            by: string;
            createdAt: number;
            /** @enum {string} */
            effect: "allow" | "ask" | "deny";
            id: string;
            pattern: string | null;
            /** @enum {string} */
            scope: "session" | "agent" | "host";
            sessionId: string | null;
            tool: string;
        };
        RuleList: {
            items: components["schemas"]["Rule"][];
        };
        Session: {
            agentId: string;
            agentName: string;
            compacting: boolean;
            createdAt: number;
            driver: string;
            externalId: string | null;
            id: string;
            leaf: string | null;
            managed: boolean;
            parentId: string | null;
            permissionMode: components["schemas"]["PermissionMode"] | null;
            removedAt: number | null;
            resumeToken: string | null;
            /** @enum {string} */
            state: "idle" | "busy" | "waiting" | "held" | "unavailable";
            title: string | null;
            turn: {
                id: string;
                /** @enum {string} */
                status: "open" | "waiting";
            } | null;
            updatedAt: number;
            workspace: string;
        };
        SessionEvent: {
            at?: number;
            author: string | null;
            inputId: string;
            parts: components["schemas"]["Part"][];
            sessionId: string;
            /** @constant */
            type: "input.accepted";
        } | {
            at?: number;
            inputId: string;
            parts?: components["schemas"]["Part"][];
            /** @enum {string} */
            reason?: "failed" | "stopped" | "interrupted" | "uncertain";
            sessionId: string;
            /** @enum {string} */
            state?: "queued" | "held" | "offered" | "taken" | "started" | "answered" | "unanswered" | "cancelled";
            turnId?: string;
            /** @constant */
            type: "input.changed";
        } | {
            at?: number;
            order: string[];
            sessionId: string;
            /** @constant */
            type: "queue.changed";
        } | {
            at?: number;
            inputId?: string;
            /** @enum {string} */
            origin: "user" | "agent" | "steer";
            sessionId: string;
            source?: string;
            turnId: string;
            /** @constant */
            type: "turn.started";
        } | {
            at?: number;
            sessionId: string;
            turnId: string;
            /** @constant */
            type: "turn.waiting";
        } | {
            at?: number;
            sessionId: string;
            turnId: string;
            /** @constant */
            type: "turn.resumed";
        } | {
            at?: number;
            durationMs: number;
            error?: {
                code: string;
                message: string;
            };
            /** @enum {string} */
            outcome: "completed" | "failed" | "stopped" | "interrupted";
            sessionId: string;
            turnId: string;
            /** @constant */
            type: "turn.settled";
            usage: components["schemas"]["TokenUsage"];
        } | {
            at?: number;
            flow?: {
                toolCallId: string;
            };
            messageId: string;
            parentId: string | null;
            /** @constant */
            role: "assistant";
            sessionId: string;
            turnId?: string;
            /** @constant */
            type: "message.opened";
        } | {
            at?: number;
            chunk: components["schemas"]["Chunk"];
            messageId: string;
            sessionId: string;
            turnId?: string;
            /** @constant */
            type: "chunk";
        } | {
            at?: number;
            message: components["schemas"]["Message"] | null;
            messageId: string;
            sessionId: string;
            turnId?: string;
            /** @constant */
            type: "message.closed";
        } | {
            at?: number;
            messageId: string;
            sessionId: string;
            turnId?: string;
            /** @constant */
            type: "message.dropped";
        } | {
            approvalId: string;
            asked?: components["schemas"]["Asked"];
            at?: number;
            durable: boolean;
            input: unknown;
            messageId?: string;
            sessionId: string;
            toolCallId: string;
            toolName: string;
            turnId?: string;
            /** @constant */
            type: "approval.requested";
        } | {
            answer: components["schemas"]["Answer"] | null;
            approvalId: string;
            at?: number;
            /** @enum {string} */
            how: "allow" | "deny" | "withdrawn" | "interrupted" | "expired";
            sessionId: string;
            turnId?: string;
            /** @constant */
            type: "approval.closed";
        } | {
            at?: number;
            data: unknown;
            sessionId: string;
            /** @constant */
            type: "background.changed";
        } | {
            at?: number;
            detail: string;
            messageId?: string;
            sessionId: string;
            /** @enum {string} */
            state: "started" | "completed" | "failed" | "stopped";
            /** @constant */
            type: "compaction";
        } | {
            at?: number;
            sessionId: string;
            /** @constant */
            type: "context";
            usage: unknown;
        } | {
            at?: number;
            attempt: number;
            delayMs: number;
            maxAttempts: number;
            message: string;
            sessionId: string;
            status: number | null;
            turnId?: string;
            /** @constant */
            type: "retry";
        } | {
            at?: number;
            code: string;
            /** @enum {string} */
            level: "info" | "warning" | "error";
            sessionId: string;
            text: string;
            turnId?: string;
            /** @constant */
            type: "notice";
        } | {
            at?: number;
            change: {
                commands?: unknown;
                leaf?: string | null;
                model?: string;
                permissionMode?: components["schemas"]["PermissionMode"] | null;
                removedAt?: number | null;
                title?: string | null;
            };
            sessionId: string;
            /** @constant */
            type: "session.changed";
        } | components["schemas"]["Snapshot"];
        SessionList: {
            items: components["schemas"]["SessionListItem"][];
            next: string | null;
        };
        SessionListItem: {
            agentId: string;
            compacting: boolean;
            createdAt: number;
            driver: string;
            externalId: string | null;
            id: string;
            lastOutcome: ("completed" | "failed" | "stopped" | "interrupted") | null;
            leaf: string | null;
            managed: boolean;
            openApprovals: number;
            parentId: string | null;
            permissionMode: components["schemas"]["PermissionMode"] | null;
            removedAt: number | null;
            resumeToken: string | null;
            title: string | null;
            turn: ("open" | "waiting") | null;
            updatedAt: number;
            waitingInputs: number;
            workspace: string;
        };
        SessionPatch: {
            /** @description null: the agent's. */
            permissionMode?: components["schemas"]["PermissionMode"] | null;
            title?: string;
        };
        SessionRow: {
            agentId: string;
            compacting: boolean;
            createdAt: number;
            driver: string;
            externalId: string | null;
            id: string;
            leaf: string | null;
            managed: boolean;
            parentId: string | null;
            permissionMode: components["schemas"]["PermissionMode"] | null;
            removedAt: number | null;
            resumeToken: string | null;
            title: string | null;
            updatedAt: number;
            workspace: string;
        };
        SessionTree: {
            leaf: string | null;
            rows: components["schemas"]["TreeRow"][];
        };
        Snapshot: {
            approvals: components["schemas"]["Approval"][];
            /** @description A place in a session's journal, as events, snapshots and receipts carry it. */
            cursor: string;
            inputs: components["schemas"]["Input"][];
            older: string | null;
            open: components["schemas"]["Message"][];
            replay: string | null;
            session: components["schemas"]["SessionRow"];
            sessionId: string;
            turn: components["schemas"]["Turn"] | null;
            /** @constant */
            type: "snapshot";
        };
        StopOutcome: {
            /** @enum {string} */
            outcome: "stopping" | "not-running";
        };
        TokenUsage: {
            cacheRead: number;
            cacheWrite: number;
            input: number;
            output: number;
            reasoning: number;
        };
        Tool: {
            /** @enum {string} */
            category: "read" | "write" | "shell" | "network" | "other";
            description: string;
            name: string;
        };
        ToolList: {
            items: components["schemas"]["Tool"][];
        };
        TreeRow: {
            author: string | null;
            closedAt: number | null;
            createdAt: number;
            id: string;
            inputId: string | null;
            /** @enum {string} */
            kind: "message" | "entry" | "flow";
            label: string | null;
            metadata: unknown;
            model: string | null;
            ordinal: number | null;
            originId: string | null;
            parentId: string | null;
            parts: components["schemas"]["Part"][];
            /** @enum {string} */
            role: "user" | "assistant" | "system";
            /** @enum {string} */
            status: "open" | "completed" | "failed" | "stopped" | "interrupted";
            timing: unknown;
            turnId: string | null;
        };
        Turn: {
            endedAt: number | null;
            id: string;
            inputId: string | null;
            message: string | null;
            model: string | null;
            no: number;
            /** @enum {string} */
            origin: "user" | "agent" | "steer";
            reason: string | null;
            startedAt: number;
            /** @enum {string} */
            status: "open" | "waiting" | "completed" | "failed" | "stopped" | "interrupted";
        };
        TurnReports: {
            items: {
                endedAt: number | null;
                id: string;
                inputId: string | null;
                message: string | null;
                model: string | null;
                no: number;
                /** @enum {string} */
                origin: "user" | "agent" | "steer";
                reason: string | null;
                startedAt: number;
                /** @enum {string} */
                status: "open" | "waiting" | "completed" | "failed" | "stopped" | "interrupted";
                used: components["schemas"]["Usage"];
            }[];
        };
        Usage: {
            cost: {
                amount: number;
                currency: string;
            }[];
            modelMs: number;
            requests: number;
            total: components["schemas"]["TokenUsage"];
        };
        UsageTotal: {
            cost: {
                amount: number;
                currency: string;
            }[];
            key: string;
            modelMs: number;
            name: string;
            requests: number;
            total: components["schemas"]["TokenUsage"];
        };
        UsageTotals: {
            items: components["schemas"]["UsageTotal"][];
        };
        Work: {
            /** @enum {string} */
            kind: "turn" | "waiting-turn" | "start" | "saving" | "flow" | "closing" | "background";
            sessionId: string;
            since: number;
            turnId?: string;
        };
        WorkList: {
            /** @description Pauses asked for over HTTP. */
            holds: string[];
            items: components["schemas"]["Work"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    listAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAgent"];
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentPatch"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                open?: "true" | "false";
                session?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalList"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    answerApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                approval: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAnswer"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalResult"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDefaultAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DefaultAgent"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setDefaultAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDefaultAgent"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDrivers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriverList"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamHost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events without ids. `event` is the type. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["HostEvent"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    storeFile: {
        parameters: {
            query?: {
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `etag` of an earlier answer: 304 and no bytes, for they never change. */
                "if-none-match"?: string;
            };
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes, with the type they were stored with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Done */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    backUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewBackup"];
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backup"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    drainHost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drain"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Drained"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseHost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Pause"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pause"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                reason: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkList"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRules: {
        parameters: {
            query?: {
                /** @description Those of this agent alone. */
                agent?: string;
                /** @description All that hold in this session. */
                session?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleList"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRule"];
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                after?: string;
                /** @description Rows of one page, at most 200. */
                limit?: string;
                /** @description Part of a title, workspace or id. */
                q?: string;
                state?: "idle" | "busy" | "waiting" | "held";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Becomes the session's own id when the body gives none; again: the same session. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSession"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionPatch"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    closeConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compactSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompactionWish"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopCompaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamSession: {
        parameters: {
            query?: {
                /** @description A cursor; `snapshot`: begin with one; absent: from now on. */
                after?: "snapshot" | string;
            };
            header?: {
                /** @description The cursor of the last event seen; wins over `after`, which is older. */
                "last-event-id"?: string;
            };
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. `id` is the cursor, `event` the type; a comment when it is silent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["SessionEvent"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportSession: {
        parameters: {
            query?: {
                format?: "json" | "markdown";
            };
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `application/json`, or `text/markdown` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forkSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Fork"];
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInputs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InputList"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    submitInput: {
        parameters: {
            query?: never;
            header?: {
                /** @description The input's id when the body gives none: the same key and body is one input. */
                "idempotency-key"?: string;
            };
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInput"];
            };
        };
        responses: {
            /** @description Done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getInput: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                input: string;
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Input"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelInput: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                input: string;
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cancelled"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeInput: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                input: string;
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InputPatch"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Input"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description A message's id; absent: the newest. */
                before?: string;
                /** @description Rows of one page, at most 200. */
                limit?: string;
            };
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    releaseInputs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Release"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restoreSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResumeChoice"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTools: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolList"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readTree: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTree"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTurns: {
        parameters: {
            query: {
                /** @description Turn ids, with commas between. */
                ids: string;
            };
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnReports"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
                turn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopOutcome"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportSource"];
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    totalUsage: {
        parameters: {
            query: {
                by: "day" | "agent" | "session" | "model";
                /** @description Milliseconds since 1970, included. */
                from?: string;
                /** @description Milliseconds since 1970, excluded. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageTotals"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDirectories: {
        parameters: {
            query?: {
                /** @description Absent: the roots. */
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Directories"];
                };
            };
            /** @description A problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
