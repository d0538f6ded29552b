"""The two-link race as MuJoCo and Exudyn run it.

A request is a line of JSON on standard input, an answer a line of JSON on standard output:
{"library", "model", "parts", "integrator", "steps", "theta1", "theta2"} -> {"cpu", "tip"}
with the processor's time of the steps alone in seconds and the tip's place every 10 ms in metres.
The request {"about": true} gives the versions.
"""

import json
import sys
import time

LENGTH = 1.0
MASS_PER_LENGTH = 5.0
BENDING_STIFFNESS = 1000.0
GRAVITY = 9.81
DURATION = 3.0
SAMPLES = 300

# Exudyn's cable may stretch; as much as a steel bar of this weight does.
AXIAL_STIFFNESS = 2.0e11 * MASS_PER_LENGTH / 7850.0


def mujoco_chain(request):
    """Rigid segments with springs of EI/h between them."""
    import mujoco

    parts, steps = request["parts"], request["steps"]
    h = LENGTH / parts
    mass = MASS_PER_LENGTH * h
    turn = mass * h * h / 12
    bodies = ""
    for link, angle in enumerate((request["theta1"], request["theta2"])):
        for part in range(parts):
            place = 0.0 if link == 0 and part == 0 else h
            attitude = f' euler="0 0 {angle!r}"' if part == 0 else ""
            stiffness = 0.0 if part == 0 else BENDING_STIFFNESS / h
            bodies += (
                f'<body pos="{place!r} 0 0"{attitude}>'
                f'<joint type="hinge" axis="0 0 1" stiffness="{stiffness!r}"/>'
                f'<inertial pos="{h / 2!r} 0 0" mass="{mass!r}"'
                f' diaginertia="{1e-2 * turn + 1e-7!r} {turn!r} {turn!r}"/>'
            )
    bodies += f'<site name="tip" pos="{h!r} 0 0"/>' + "</body>" * (2 * parts)
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><compiler angle="degree" inertiafromgeom="false" balanceinertia="true"/>'
        f'<option timestep="{DURATION / steps!r}" gravity="0 {-GRAVITY} 0"'
        f' integrator="{request["integrator"]}"><flag contact="disable" constraint="disable"/></option>'
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    cpu, tip = 0.0, []
    for _ in range(SAMPLES):
        start = time.process_time()
        mujoco.mj_step(model, data, nstep=steps // SAMPLES)
        cpu += time.process_time() - start
        mujoco.mj_kinematics(model, data)
        tip.append(data.site("tip").xpos[:2].tolist())
    return cpu, tip


def exudyn_cable(request):
    """ANCF cables, generalised-alpha; the settings were the fastest of those tried."""
    import warnings

    warnings.filterwarnings("ignore")  # of names that a later version changes
    import exudyn
    from exudyn import beams, itemInterface
    from math import cos, radians, sin

    container = exudyn.SystemContainer()
    system = container.AddSystem()
    angle, place = 0.0, (0.0, 0.0)
    nodes = []
    for link, turn in enumerate((request["theta1"], request["theta2"])):
        angle += radians(turn)
        end = (place[0] + LENGTH * cos(angle), place[1] + LENGTH * sin(angle))
        cable = itemInterface.Cable2D(
            massPerLength=MASS_PER_LENGTH,
            bendingStiffness=BENDING_STIFFNESS,
            axialStiffness=AXIAL_STIFFNESS,
            useReducedOrderIntegration=0,
        )
        made = beams.GenerateBeamElementsAlongLine(
            system,
            [*place, 0],
            [*end, 0],
            request["parts"],
            cable,
            gravity=[0, -GRAVITY, 0],
            **({"groundConstraintsStart": [1, 1, 0, 0]} if link == 0 else {}),
        )
        nodes.append(made["nodes"])
        place = end
    for coordinate in (0, 1):
        markers = [
            system.AddMarker(
                itemInterface.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate)
            )
            for node in (nodes[0][-1], nodes[1][0])
        ]
        system.AddObject(itemInterface.CoordinateConstraint(markerNumbers=markers))
    sensor = system.AddSensor(
        itemInterface.SensorNode(
            nodeNumber=nodes[1][-1],
            storeInternal=True,
            outputVariableType=exudyn.OutputVariableType.Position,
        )
    )
    system.Assemble()
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = request["steps"]
    settings.timeIntegration.endTime = DURATION
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.relativeTolerance = 1e-6
    settings.timeIntegration.newton.absoluteTolerance = 1e-8
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = DURATION / SAMPLES
    settings.displayStatistics = False
    settings.parallel.numberOfThreads = 1
    settings.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse
    start = time.process_time()
    system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.GeneralizedAlpha)
    cpu = time.process_time() - start
    return cpu, system.GetSensorStoredData(sensor)[-SAMPLES:, 1:3].tolist()


def about():
    from importlib.metadata import version

    return f"MuJoCo {version('mujoco')}, Exudyn {version('exudyn')}"


def main():
    sys.exudynFast = True  # its build without range checks
    runs = {"MuJoCo": mujoco_chain, "Exudyn": exudyn_cable}
    out, sys.stdout = sys.stdout, sys.stderr  # the libraries print what they like
    for line in sys.stdin:
        request = json.loads(line)
        if "about" in request:
            answer = {"about": about()}
        else:
            cpu, tip = runs[request["library"]](request)
            answer = {"cpu": cpu, "tip": tip}
        print(json.dumps(answer), file=out, flush=True)


main()
